/* cudasimFailCall and cudasimGetHeld. */
#include "alone.h"
#include "cudasim.h" // defines: what the simulator adds

static void the_second_call_fails(void)
{
    void *p;
    void *q;
    EQUAL(cudasimFailCall("cudaMalloc", 1, 2, cudaErrorOperatingSystem), 0);
    OK(cudaMalloc(&p, 8));
    q = p;
    EQUAL(cudaMalloc(&q, 8), cudaErrorOperatingSystem);
    TRUE(q == p); // nothing was done
    EQUAL(cudaGetLastError(), cudaErrorOperatingSystem);
    OK(cudaFree(p)); // another call is untouched
    EQUAL(cudaMalloc(&q, 8), cudaErrorOperatingSystem);
    OK(cudaMalloc(&q, 8)); // only twice
    EQUAL(cudasimFailCall("cudaFree", 0, 1, cudaErrorUnknown), 0);
    EQUAL(cudasimFailCall(NULL, 0, 0, cudaSuccess), 1); // it did not come
    OK(cudaFree(q));
}

static void any_call(void)
{
    int n;
    EQUAL(cudasimFailCall("*", 1, 1, cudaErrorOperatingSystem), 0);
    OK(cudaGetDeviceCount(&n));
    EQUAL(cudaGetLastError(), cudaSuccess); // asks nothing of a device
    EQUAL(cudaGetDevice(&n), cudaErrorOperatingSystem);
    OK(cudaGetDevice(&n));
}

static void what_is_held(void)
{
    CudasimHeld held;
    void *p;
    void *pinned;
    cudaStream_t stream;
    cudaEvent_t event;
    OK(cudaMalloc(&p, 8));
    OK(cudaMallocHost(&pinned, 8));
    OK(cudaStreamCreate(&stream));
    OK(cudaEventCreate(&event));
    cudasimGetHeld(&held);
    EQUAL(held.n_device, 1);
    EQUAL(held.n_host, 1);
    EQUAL(held.n_streams, 1);
    EQUAL(held.n_events, 1);
    EQUAL(held.n_handles, 0);
    OK(cudaFree(p));
    OK(cudaFreeHost(pinned));
    OK(cudaStreamDestroy(stream));
    OK(cudaEventDestroy(event));
    cudasimGetHeld(&held);
    EQUAL(held.n_device + held.n_host + held.n_streams + held.n_events, 0);
    cudasimGetHeld(NULL); // let pass
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(the_second_call_fails),
        ALONE(any_call),
        ALONE(what_is_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
