/* A machine without a driver, simulated or real: every call says 35. */
#include "alone.h"

static void every_call_says_so(void)
{
    int n = 42;
    void *p = &n;
    size_t size = 42;
    OK(cudaDriverGetVersion(&n));
    if (n != 0) {
        fprintf(stderr, "needs a machine without a driver\n");
        _exit(77);
    }
    n = 42;
    EQUAL(cudaGetDeviceCount(&n), cudaErrorInsufficientDriver);
    EQUAL(cudaGetLastError(), cudaErrorInsufficientDriver);
    EQUAL(cudaGetDevice(&n), cudaErrorInsufficientDriver);
    EQUAL(cudaSetDevice(0), cudaErrorInsufficientDriver);
    EQUAL(cudaMalloc(&p, 8), cudaErrorInsufficientDriver);
    TRUE(p == &n);
    EQUAL(cudaFree(NULL), cudaErrorInsufficientDriver);
    EQUAL(cudaMemGetInfo(&size, &size), cudaErrorInsufficientDriver);
    EQUAL(size, 42);
    EQUAL(cudaDeviceSynchronize(), cudaErrorInsufficientDriver);
    EQUAL(cudaGetLastError(), cudaErrorInsufficientDriver);
    EQUAL(cudaGetLastError(), cudaErrorInsufficientDriver); // for ever
    EQUAL(strcmp(cudaGetErrorString(cudaErrorInsufficientDriver),
                 "CUDA driver version is insufficient for CUDA runtime "
                 "version"),
          0);
    OK(cudaRuntimeGetVersion(&n));
    TRUE(n >= 12000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(every_call_says_so, "SIM_MACHINE=nodriver"),
    };
    return cmocka_run_group_tests_name("both nodriver", tests, NULL, NULL);
}
