/* Launching: what a kernel is, and which launches are refused. */
#include "alone.h"
#include "cudasim.h" // defines: what the simulator adds

static void some_function(void)
{
}

static const void *function = (const void *)(uintptr_t)some_function;

static unsigned char seen[64];
static int runs;

static void look(void *arguments)
{
    memcpy(seen, arguments, sizeof(void *) + 8);
    runs++;
}

static void register_look(int n_pointers)
{
    const CudasimKernel info = {"look",     look, sizeof(void *) + 8,
                                n_pointers, NULL, 0};
    OK(cudasimRegisterKernel(function, &info));
}

static cudaError_t launch(dim3 grid, dim3 block, size_t shared)
{
    static unsigned char arguments[sizeof(void *) + 8];
    return cudaLaunchKernel(function, grid, block, (void *[]){arguments},
                            shared, 0);
}

static cudaError_t launch_shape(unsigned gx, unsigned gy, unsigned gz,
                                unsigned bx, unsigned by, unsigned bz)
{
    return launch((dim3){gx, gy, gz}, (dim3){bx, by, bz}, 0);
}

static void a_function_nobody_registered(void)
{
    EQUAL(launch_shape(1, 1, 1, 1, 1, 1), cudaErrorInvalidDeviceFunction);
    EQUAL(cudaGetLastError(), cudaErrorInvalidDeviceFunction);
    register_look(0);
    OK(launch_shape(1, 1, 1, 1, 1, 1));
}

static void what_cannot_be_registered(void)
{
    const CudasimKernel good = {"look", look, 16, 2, NULL, 0};
    CudasimKernel bad = good;
    EQUAL(cudasimRegisterKernel(NULL, &good), cudaErrorInvalidValue);
    EQUAL(cudasimRegisterKernel(function, NULL), cudaErrorInvalidValue);
    bad.name = NULL;
    EQUAL(cudasimRegisterKernel(function, &bad), cudaErrorInvalidValue);
    bad = good;
    bad.run = NULL;
    EQUAL(cudasimRegisterKernel(function, &bad), cudaErrorInvalidValue);
    bad = good;
    bad.n_pointers = 3; // 24 bytes of pointers in 16
    EQUAL(cudasimRegisterKernel(function, &bad), cudaErrorInvalidValue);
    bad.n_pointers = -1;
    EQUAL(cudasimRegisterKernel(function, &bad), cudaErrorInvalidValue);
    OK(cudasimRegisterKernel(function, &good));
    OK(cudasimRegisterKernel(function, &good)); // again: replaced
}

static void shapes(void)
{
    register_look(0);
    OK(launch_shape(1, 1, 1, 1024, 1, 1));
    OK(launch_shape(2147483647, 1, 1, 1, 1, 1));
    OK(launch_shape(1, 65535, 65535, 16, 1, 64));
    EQUAL(launch_shape(0, 1, 1, 1, 1, 1), cudaErrorInvalidConfiguration);
    EQUAL(launch_shape(1, 1, 0, 1, 1, 1), cudaErrorInvalidConfiguration);
    EQUAL(launch_shape(1, 1, 1, 0, 1, 1), cudaErrorInvalidConfiguration);
    EQUAL(launch_shape(1, 1, 1, 1025, 1, 1), cudaErrorInvalidConfiguration);
    EQUAL(launch_shape(1, 1, 1, 32, 33, 1), cudaErrorInvalidConfiguration);
    EQUAL(launch_shape(1, 1, 1, 1, 1, 65), cudaErrorInvalidConfiguration);
    EQUAL(launch_shape(1, 65536, 1, 1, 1, 1), cudaErrorInvalidConfiguration);
    EQUAL(launch_shape(1, 1, 65536, 1, 1, 1), cudaErrorInvalidConfiguration);
    EQUAL(launch_shape(2147483648u, 1, 1, 1, 1, 1),
          cudaErrorInvalidConfiguration);
    OK(cudaDeviceSynchronize()); // refused launches leave no trace
    EQUAL(runs, 3);
}

static void shared_memory(void)
{
    register_look(0);
    dim3 one = {1, 1, 1};
    OK(launch(one, one, 48 << 10));
    EQUAL(launch(one, one, (48 << 10) + 1), cudaErrorInvalidValue);
    OK(cudaFuncSetAttribute(
        function, cudaFuncAttributeMaxDynamicSharedMemorySize, 96 << 10));
    OK(launch(one, one, 96 << 10));
    EQUAL(cudaFuncSetAttribute(
              function, cudaFuncAttributeMaxDynamicSharedMemorySize, 97 << 10),
          cudaErrorInvalidValue);
    EQUAL(cudaFuncSetAttribute(function, cudaFuncAttributeMax, 1),
          cudaErrorInvalidValue);
}

static void attributes_of_a_kernel(void)
{
    struct cudaFuncAttributes a;
    EQUAL(cudaFuncGetAttributes(&a, function), cudaErrorInvalidDeviceFunction);
    register_look(0);
    OK(cudaFuncGetAttributes(&a, function));
    EQUAL(a.maxThreadsPerBlock, 1024);
    EQUAL(a.binaryVersion, 70);
    EQUAL(a.maxDynamicSharedSizeBytes, 48 << 10);
    EQUAL(cudaFuncGetAttributes(NULL, function), cudaErrorInvalidValue);
}

/* The struct is taken when the call is made. */
static void arguments_are_copied(void)
{
    struct {
        void *p;
        int64_t n;
    } k = {NULL, 11};
    register_look(1);
    OK(cudaLaunchKernel(function, (dim3){1, 1, 1}, (dim3){1, 1, 1},
                        (void *[]){&k}, 0, 0));
    k.n = 22;
    OK(cudaDeviceSynchronize());
    memcpy(&k, seen, sizeof k);
    EQUAL(k.n, 11);
    TRUE(k.p == NULL); // NULL stays NULL
    EQUAL(cudaLaunchKernel(function, (dim3){1, 1, 1}, (dim3){1, 1, 1}, NULL, 0,
                           0),
          cudaErrorInvalidValue);
}

/* Only the leading pointers are translated; other fields are as given. */
static void pointers_are_translated(void)
{
    struct {
        void *p;
        void *not_a_pointer;
    } k;
    register_look(1);
    float *p = device_floats(4, 1);
    k.p = p + 1;
    k.not_a_pointer = p;
    OK(cudaLaunchKernel(function, (dim3){1, 1, 1}, (dim3){1, 1, 1},
                        (void *[]){&k}, 0, 0));
    OK(cudaDeviceSynchronize());
    memcpy(&k, seen, sizeof k);
    TRUE(k.p != p + 1 && *(float *)k.p == 1);
    TRUE(k.not_a_pointer == p);
}

static void launches_are_counted(void)
{
    CudasimDeviceCounters c;
    register_look(0);
    OK(cudaSetDevice(4));
    for (int i = 0; i < 3; i++)
        OK(launch_shape(1, 1, 1, 1, 1, 1));
    OK(cudasimGetDeviceCounters(4, &c));
    EQUAL(c.n_launches, 0); // still queued
    OK(cudaDeviceSynchronize());
    OK(cudasimGetDeviceCounters(4, &c));
    EQUAL(c.n_launches, 3);
    TRUE(c.busy_ns >= 3 * 6000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(a_function_nobody_registered),
        ALONE(what_cannot_be_registered),
        ALONE(shapes),
        ALONE(shared_memory),
        ALONE(attributes_of_a_kernel),
        ALONE(arguments_are_copied),
        ALONE(pointers_are_translated),
        ALONE(launches_are_counted),
    };
    return cmocka_run_group_tests_name("sim launch", tests, NULL, NULL);
}
