/* Corners of the interface that no other test comes by. */
#include "alone.h"

static void a_matrix_is_set_in_its_stream(void)
{
    unsigned char *p, host[4 * 8];
    cudaStream_t stream;
    OK(cudaMalloc((void **)&p, sizeof(host)));
    OK(cudaMemset(p, 1, sizeof(host)));
    OK(cudaStreamCreate(&stream));
    OK(cudaMemset2DAsync(p, 8, 7, 3, 4, stream)); // 4 rows of 3 bytes
    OK(cudaStreamSynchronize(stream));
    OK(cudaMemcpy(host, p, sizeof(host), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 4 * 8; i++)
        EQUAL(host[i], i % 8 < 3 ? 7 : 1);
    EQUAL(cudaMemset2DAsync(p, 2, 7, 3, 4, stream), cudaErrorInvalidValue);
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(p));
}

static void a_limit_that_no_card_has(void)
{
    size_t value;
    EQUAL(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 1),
          cudaErrorUnsupportedLimit);
    EQUAL(cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth),
          cudaErrorUnsupportedLimit);
}

static void events_do_not_cross_processes(void)
{
    cudaEvent_t event;
    EQUAL(cudaEventCreateWithFlags(&event, cudaEventInterprocess |
                                               cudaEventDisableTiming),
          cudaErrorNotSupported);
    EQUAL(cudaEventCreateWithFlags(&event, cudaEventInterprocess),
          cudaErrorInvalidValue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(a_matrix_is_set_in_its_stream),
        ALONE(a_limit_that_no_card_has),
        ALONE(events_do_not_cross_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
