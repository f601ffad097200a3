/* Devices: counting, asking, resetting; machines without one; settings. */
#include "alone.h"
#include "cudasim.h" // defines: what the simulator adds

static void choosing(void)
{
    int n;
    OK(cudaGetDeviceCount(&n));
    EQUAL(n, 8);
    OK(cudaGetDevice(&n));
    EQUAL(n, 0);
    OK(cudaSetDevice(7));
    OK(cudaGetDevice(&n));
    EQUAL(n, 7);
    EQUAL(cudaSetDevice(8), cudaErrorInvalidDevice);
    EQUAL(cudaSetDevice(-1), cudaErrorInvalidDevice);
    OK(cudaGetDevice(&n)); // unchanged
    EQUAL(n, 7);
    EQUAL(cudaGetDevice(NULL), cudaErrorInvalidValue);
    EQUAL(cudaGetDeviceCount(NULL), cudaErrorInvalidValue);
    OK(cudaInitDevice(3, 0, 0));
    OK(cudaGetDevice(&n)); // initialised, not made current
    EQUAL(n, 7);
    EQUAL(cudaInitDevice(8, 0, 0), cudaErrorInvalidDevice);
    EQUAL(cudaInitDevice(0, 0, 2), cudaErrorInvalidValue);
}

static void properties(void)
{
    struct cudaDeviceProp p;
    OK(cudaGetDeviceProperties(&p, 0));
    EQUAL(sizeof p, 1008);
    EQUAL(strcmp(p.name, "Tesla V100-PCIE-32GB"), 0);
    EQUAL(p.totalGlobalMem, 34072559616LL);
    EQUAL(p.major * 10 + p.minor, 70);
    EQUAL(p.multiProcessorCount, 80);
    EQUAL(p.warpSize, 32);
    EQUAL(p.maxThreadsPerBlock, 1024);
    EQUAL(p.maxGridSize[0], 2147483647);
    EQUAL(p.pciBusID, 0x89);
    EQUAL((unsigned char)p.uuid.bytes[0], 0x89);
    EQUAL((unsigned char)p.uuid.bytes[15], 0xf6);
    EQUAL(p.asyncEngineCount, 2);
    EQUAL(p.unifiedAddressing, 1);
    EQUAL(p.managedMemory, 0); // not in the subset
    EQUAL(cudaGetDeviceProperties(&p, 8), cudaErrorInvalidDevice);
    EQUAL(cudaGetDeviceProperties(NULL, 0), cudaErrorInvalidValue);
}

static void attributes(void)
{
    static const struct {
        enum cudaDeviceAttr attr;
        int value;
    } expected[] = {
        {cudaDevAttrMaxThreadsPerBlock, 1024},
        {cudaDevAttrMaxBlockDimZ, 64},
        {cudaDevAttrMaxGridDimY, 65535},
        {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, 98304},
        {cudaDevAttrTotalConstantMemory, 65536},
        {cudaDevAttrWarpSize, 32},
        {cudaDevAttrClockRate, 1380000},
        {cudaDevAttrMemoryClockRate, 877000},
        {cudaDevAttrComputeMode, 0},
        {cudaDevAttrMultiProcessorCount, 80},
        {cudaDevAttrKernelExecTimeout, 0},
        {cudaDevAttrComputeCapabilityMajor, 7},
        {cudaDevAttrComputeCapabilityMinor, 0},
        {cudaDevAttrPciBusId, 0x89},
        {cudaDevAttrMemoryPoolsSupported, 1},
        {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
        {cudaDevAttrMaxTexture2DHeight, 65536},
        {cudaDevAttrManagedMemory, 0},
        {cudaDevAttrHostNumaId, -1},
    };
    int value;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        OK(cudaDeviceGetAttribute(&value, expected[i].attr, 0));
        EQUAL(value, expected[i].value);
    }
    EQUAL(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)0, 0),
          cudaErrorInvalidValue);
    EQUAL(cudaDeviceGetAttribute(&value, cudaDevAttrMax, 0),
          cudaErrorInvalidValue);
    EQUAL(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 8),
          cudaErrorInvalidDevice);
    EQUAL(cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0),
          cudaErrorInvalidValue);
}

static void bus_ids(void)
{
    char text[16];
    int n;
    OK(cudaDeviceGetPCIBusId(text, sizeof text, 1));
    EQUAL(strcmp(text, "0000:8A:00.0"), 0);
    OK(cudaDeviceGetByPCIBusId(&n, text));
    EQUAL(n, 1);
    OK(cudaDeviceGetByPCIBusId(&n, "89:00.0"));
    EQUAL(n, 0);
    EQUAL(cudaDeviceGetByPCIBusId(&n, "0000:01:00.0"), cudaErrorInvalidDevice);
    EQUAL(cudaDeviceGetByPCIBusId(&n, "nonsense"), cudaErrorInvalidDevice);
    EQUAL(cudaDeviceGetByPCIBusId(&n, NULL), cudaErrorInvalidValue);
    EQUAL(cudaDeviceGetPCIBusId(text, 5, 0), cudaErrorInvalidValue);
    EQUAL(cudaDeviceGetPCIBusId(text, sizeof text, 9), cudaErrorInvalidDevice);
}

static void versions_flags_limits(void)
{
    int version;
    unsigned flags;
    size_t limit;
    struct cudaDeviceProp wish;
    OK(cudaRuntimeGetVersion(&version));
    EQUAL(version, 13000);
    OK(cudaDriverGetVersion(&version));
    EQUAL(version, 13000);
    EQUAL(cudaDriverGetVersion(NULL), cudaErrorInvalidValue);
    OK(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
    OK(cudaGetDeviceFlags(&flags));
    TRUE(flags & cudaDeviceScheduleBlockingSync);
    EQUAL(cudaSetDeviceFlags(3), cudaErrorInvalidValue); // two ways to wait
    EQUAL(cudaSetDeviceFlags(0x100), cudaErrorInvalidValue);
    OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    EQUAL(limit, 1024);
    OK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    OK(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    EQUAL(limit, 4096);
    EQUAL(cudaDeviceSetLimit((enum cudaLimit)99, 1), cudaErrorInvalidValue);
    memset(&wish, 0, sizeof wish);
    OK(cudaChooseDevice(&version, &wish));
    EQUAL(version, 0);
}

static void no_driver(void)
{
    int n = 42;
    void *p = &n;
    size_t size = 42;
    EQUAL(cudaGetDeviceCount(&n), cudaErrorInsufficientDriver);
    EQUAL(cudaGetDevice(&n), cudaErrorInsufficientDriver);
    EQUAL(n, 42); // outputs are untouched
    EQUAL(cudaSetDevice(0), cudaErrorInsufficientDriver);
    EQUAL(cudaMalloc(&p, 8), cudaErrorInsufficientDriver);
    TRUE(p == &n);
    EQUAL(cudaFree(NULL), cudaErrorInsufficientDriver);
    EQUAL(cudaMemGetInfo(&size, &size), cudaErrorInsufficientDriver);
    EQUAL(size, 42);
    EQUAL(cudaDeviceSynchronize(), cudaErrorInsufficientDriver);
    EQUAL(cudaGetLastError(), cudaErrorInsufficientDriver);
    EQUAL(cudaGetLastError(), cudaErrorInsufficientDriver); // for ever
    OK(cudaDriverGetVersion(&n));
    EQUAL(n, 0);
    OK(cudaRuntimeGetVersion(&n));
    EQUAL(n, 13000);
}

static void no_device(void)
{
    int n = 42;
    EQUAL(cudaGetDeviceCount(&n), cudaErrorNoDevice);
    EQUAL(cudaSetDevice(0), cudaErrorNoDevice);
    OK(cudaDriverGetVersion(&n));
    EQUAL(n, 13000);
}

static void resetting(void)
{
    void *p;
    size_t before, after, total;
    cudaStream_t s;
    cudaEvent_t e;
    int device;
    OK(cudaMemGetInfo(&before, &total));
    OK(cudaMalloc(&p, 100 << 20));
    OK(cudaStreamCreate(&s));
    OK(cudaEventCreate(&e));
    OK(cudaSetDevice(1));
    float *other = device_floats(4, 9);
    OK(cudaSetDevice(0));
    OK(cudaDeviceReset());
    OK(cudaGetDevice(&device));
    EQUAL(device, 0);
    EQUAL(cudaFree(p), cudaErrorInvalidValue); // gone with the device
    EQUAL(cudaStreamSynchronize(s), cudaErrorInvalidResourceHandle);
    EQUAL(cudaEventQuery(e), cudaErrorInvalidResourceHandle);
    OK(cudaMemGetInfo(&after, &total));
    EQUAL(before, after);
    TRUE(float_at(other) == 9);         // the other devices keep theirs
    float *again = device_floats(4, 2); // and this one starts afresh
    TRUE(float_at(again) == 2);
}

static void any_call(void)
{
    int n;
    cudaGetDeviceCount(&n);
}

/* Every setting: a bad value is one sentence that names the valid ones. */
static void bad_settings(void **state)
{
    (void)state;
    dies(any_call, "SIM_ORDER=random", 2,
         "cudasim: SIM_ORDER=random is not valid; it can be chronological "
         "(the default) or adversarial.\n");
    dies(any_call, "CUDA_LAUNCH_BLOCKING=yes", 2,
         "cudasim: CUDA_LAUNCH_BLOCKING=yes is not valid; it can be 0 or "
         "1.\n");
    dies(any_call, "SIM_MACHINE=v100x9", 2, "v100x8");
    dies(any_call, "SIM_MACHINE=/no/such.machine", 2, "/no/such.machine");
    dies(any_call, "SIM_LOG=maybe", 2, "SIM_LOG");
    dies(any_call, "SIM_TRACE=/no/such/folder/t.json", 2, "SIM_TRACE");
}

static void default_machine(void)
{
    unsetenv("SIM_MACHINE");
    EQUAL(strcmp(cudasimMachineName(), "v100x8"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(choosing),
        ALONE(properties),
        ALONE(attributes),
        ALONE(bus_ids),
        ALONE(versions_flags_limits),
        ALONE(no_driver, "SIM_MACHINE=nodriver"),
        ALONE(no_device, "SIM_MACHINE=none"),
        ALONE(resetting),
        cmocka_unit_test(bad_settings),
        ALONE(default_machine),
        ALONE(default_machine, "SIM_MACHINE=", "SIM_ORDER="),
    };
    return cmocka_run_group_tests_name("sim devices", tests, NULL, NULL);
}
