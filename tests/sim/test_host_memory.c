/* Page-locked host memory. */
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

static void registering(void)
{
    static char memory[8192];
    void *p = memory + 100;
    void *q;
    OK(cudaHostRegister(p, 4000, cudaHostRegisterDefault));
    EQUAL(cudaHostRegister(p, 4000, 0), cudaErrorHostMemoryAlreadyRegistered);
    EQUAL(cudaHostRegister(memory, 200, 0),
          cudaErrorHostMemoryAlreadyRegistered); // they overlap
    OK(cudaHostRegister(memory, 100, 0));        // they touch
    OK(cudaHostGetDevicePointer(&q, p, 0));
    OK(cudaHostUnregister(p));
    EQUAL(cudaHostUnregister(p), cudaErrorHostMemoryNotRegistered);
    EQUAL(cudaHostGetDevicePointer(&q, p, 0), cudaErrorInvalidValue);
    EQUAL(cudaHostUnregister(NULL), cudaErrorInvalidValue);
    EQUAL(cudaHostRegister(NULL, 8, 0), cudaErrorInvalidValue);
    EQUAL(cudaHostRegister(p, 0, 0), cudaErrorInvalidValue);
    EQUAL(cudaHostRegister(p, 8, 0x100), cudaErrorInvalidValue);
    OK(cudaMalloc(&q, 64));
    EQUAL(cudaHostRegister(q, 64, 0), cudaErrorInvalidValue); // a device's
    OK(cudaMallocHost(&q, 64));
    EQUAL(cudaHostUnregister(q), cudaErrorHostMemoryNotRegistered);
    EQUAL(cudaFreeHost(memory), cudaErrorInvalidValue);
}

static void what_its_pointers_tell(void)
{
    struct cudaPointerAttributes a;
    char *p;
    OK(cudaSetDevice(2));
    OK(cudaMallocHost((void **)&p, 100));
    OK(cudaPointerGetAttributes(&a, p + 99));
    EQUAL(a.type, cudaMemoryTypeHost);
    EQUAL(a.device, 2);
    TRUE(a.hostPointer == p + 99 && a.devicePointer == p + 99);
    OK(cudaFreeHost(p));
    OK(cudaPointerGetAttributes(&a, p));
    EQUAL(a.type, cudaMemoryTypeUnregistered);
}

static void a_copy_may_not_leave_it(void)
{
    static char memory[8192];
    char *p;
    OK(cudaMalloc((void **)&p, 8192));
    OK(cudaHostRegister(memory, 4096, 0));
    EQUAL(cudaMemcpy(p, memory, 8192, cudaMemcpyHostToDevice),
          cudaErrorInvalidValue); // half of it is registered
    OK(cudaMemcpy(p, memory + 4096, 4096, cudaMemcpyHostToDevice));
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

static void the_nth_one_fails(void)
{
    void *p;
    static char memory[64];
    cudasimFailAfter(CUDASIM_FAIL_HOST, 1);
    OK(cudaMallocHost(&p, 8));
    EQUAL(cudaHostRegister(memory, 64, 0), cudaErrorMemoryAllocation);
    OK(cudaHostRegister(memory, 64, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(taking_and_giving),      ALONE(registering),
        ALONE(what_its_pointers_tell), ALONE(a_copy_may_not_leave_it),
        ALONE(freeing_waits),          ALONE(the_nth_one_fails),
    };
    return cmocka_run_group_tests_name("sim host memory", tests, NULL, NULL);
}
