/* Page-locked host memory. */
#include "alone.h"
#include "cudasim.h" // defines: what the simulator adds

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
        ALONE(registering),
        ALONE(what_its_pointers_tell),
        ALONE(a_copy_may_not_leave_it),
        ALONE(the_nth_one_fails),
    };
    return cmocka_run_group_tests_name("sim host memory", tests, NULL, NULL);
}
