/* Device memory on any GPU: what is given, what is refused, what a pointer
 * tells. */
#include "alone.h"

static void the_argument_rules(void)
{
    void *p = &p;
    EQUAL(cudaMalloc(NULL, 1), cudaErrorInvalidValue);
    OK(cudaMalloc(&p, 0));
    TRUE(p == NULL);
    EQUAL(cudaMalloc(&p, SIZE_MAX), cudaErrorMemoryAllocation);
    EQUAL(cudaMalloc(&p, (size_t)1 << 62), cudaErrorMemoryAllocation);
    OK(cudaFree(NULL));
    OK(cudaMalloc(&p, 1));
    TRUE(p != NULL);
    TRUE((uintptr_t)p % 256 == 0);
    OK(cudaFree(p));
}

static void freeing_what_is_not_ours(void)
{
    char *p;
    char host[8];
    OK(cudaMalloc((void **)&p, 4096));
    EQUAL(cudaFree(p + 1), cudaErrorInvalidValue);
    EQUAL(cudaFree(p + 4096), cudaErrorInvalidValue);
    EQUAL(cudaFree(host), cudaErrorInvalidValue);
    OK(cudaFree(p));
    EQUAL(cudaFree(p), cudaErrorInvalidValue);
}

static void many_small_allocations(void)
{
    enum { MANY = 3000 };
    static char *p[MANY];
    for (int i = 0; i < MANY; i++) {
        OK(cudaMalloc((void **)&p[i], (size_t)(1 + i % 700)));
        OK(cudaMemset(p[i], i & 127, (size_t)(1 + i % 700)));
    }
    for (int i = 0; i < MANY; i += 2)
        OK(cudaFree(p[i]));
    for (int i = 1; i < MANY; i += 2) {
        char last;
        OK(cudaMemcpy(&last, p[i] + i % 700, 1, cudaMemcpyDeviceToHost));
        EQUAL(last, i & 127);
        OK(cudaFree(p[i]));
    }
}

static void memory_runs_out(void)
{
    size_t room, total;
    void *p;
    OK(cudaMemGetInfo(&room, &total));
    TRUE(room <= total);
    EQUAL(cudaMalloc(&p, total + 1), cudaErrorMemoryAllocation);
    // Not sticky: the device goes on as before.
    EQUAL(cudaGetLastError(), cudaErrorMemoryAllocation);
    EQUAL(cudaGetLastError(), cudaSuccess);
    OK(cudaMalloc(&p, 4 << 20));
    OK(cudaFree(p));
}

static void a_pointer_tells_what_it_is(void)
{
    struct cudaPointerAttributes a;
    char *p, *locked;
    char host;
    OK(cudaMalloc((void **)&p, 4096));
    OK(cudaPointerGetAttributes(&a, p + 100)); // inside it too
    EQUAL(a.type, cudaMemoryTypeDevice);
    EQUAL(a.device, 0);
    TRUE(a.devicePointer == p + 100 && a.hostPointer == NULL);
    OK(cudaPointerGetAttributes(&a, &host));
    EQUAL(a.type, cudaMemoryTypeUnregistered);
    EQUAL(cudaPointerGetAttributes(&a, NULL), cudaErrorInvalidValue);
    EQUAL(cudaPointerGetAttributes(NULL, p), cudaErrorInvalidValue);
    OK(cudaMallocHost((void **)&locked, 100));
    OK(cudaPointerGetAttributes(&a, locked + 99));
    EQUAL(a.type, cudaMemoryTypeHost);
    TRUE(a.hostPointer == locked + 99 && a.devicePointer == locked + 99);
    OK(cudaFreeHost(locked));
}

/* In the order of its stream, from the device's pool. */
static void memory_in_stream_order(void)
{
    int has_pools = 0;
    float *p;
    float host[8];
    OK(cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, 0));
    if (!has_pools) {
        EQUAL(cudaMallocAsync((void **)&p, 32, 0), cudaErrorNotSupported);
        return;
    }
    OK(cudaMallocAsync((void **)&p, sizeof host, 0));
    OK(cudaMemsetAsync(p, 0, sizeof host, 0));
    OK(scale(p, p, 8, 2, 0));
    OK(cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, 0));
    OK(cudaFreeAsync(p, 0));
    OK(cudaStreamSynchronize(0));
    TRUE(host[7] == 0);
    OK(cudaMallocAsync((void **)&p, 0, 0));
    TRUE(p == NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(the_argument_rules),         ALONE(freeing_what_is_not_ours),
        ALONE(many_small_allocations),     ALONE(memory_runs_out),
        ALONE(a_pointer_tells_what_it_is), ALONE(memory_in_stream_order),
    };
    return cmocka_run_group_tests_name("both memory", tests, NULL, NULL);
}
