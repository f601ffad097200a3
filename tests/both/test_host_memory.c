/* Page-locked host memory on any GPU, simulated or real. */
#include "alone.h"

static void taking_and_giving(void)
{
    char *p;
    void *q;
    unsigned flags;
    OK(cudaMallocHost((void **)&p, 1000));
    memset(p, 1, 1000); // it is host memory
    OK(cudaHostGetDevicePointer(&q, p + 10, 0));
    TRUE(q == p + 10); // one address space
    EQUAL(cudaHostGetDevicePointer(&q, p, 1), cudaErrorInvalidValue);
    OK(cudaFreeHost(p));
    EQUAL(cudaFreeHost(p), cudaErrorInvalidValue);
    OK(cudaFreeHost(NULL));
    EQUAL(cudaFreeHost(&q), cudaErrorInvalidValue);
    EQUAL(cudaMallocHost(NULL, 8), cudaErrorInvalidValue);
    EQUAL(cudaHostAlloc(&q, 8, 0x100), cudaErrorInvalidValue);
    OK(cudaHostAlloc(&q, 8, cudaHostAllocPortable));
    OK(cudaHostGetFlags(&flags, q));
    TRUE(flags & cudaHostAllocPortable);
    EQUAL(cudaHostGetFlags(&flags, &flags), cudaErrorInvalidValue);
    EQUAL(cudaFree(q), cudaErrorInvalidValue); // cudaFree is for devices
    OK(cudaFreeHost(q));
    OK(cudaMallocHost(&q, 0));
    TRUE(q == NULL);
    EQUAL(cudaMallocHost(&q, SIZE_MAX), cudaErrorMemoryAllocation);
}

/* Freeing waits until no copy uses the memory any more. */
static void freeing_waits(void)
{
    float *host;
    float *p = device_floats(8, 0);
    OK(cudaMallocHost((void **)&host, 32));
    host[0] = 6;
    OK(cudaMemcpyAsync(p, host, 32, cudaMemcpyHostToDevice, 0));
    OK(cudaFreeHost(host));
    TRUE(float_at(p) == 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(taking_and_giving),
        ALONE(freeing_waits),
    };
    return cmocka_run_group_tests_name("both host memory", tests, NULL, NULL);
}
