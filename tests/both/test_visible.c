/* Devices on any machine with at least one: which are visible, what is asked
 * of them, and calls about peers when there is only one. */
#include "alone.h"

typedef struct Row {
    const char *visible;
    int count;
} Row;

/* GPU 0 is there whatever the machine; 9999 is nowhere. */
static const Row rows[] = {
    {"", 0},         {"0", 1},
    {"-1", 0},       {"0,-1", 1},
    {"-1,0", 0},     {"9999", 0},
    {"0,9999", 1},   {"9999,0", 0},
    {"0,0", 0},      {" 0 ", 1},
    {"0gpu", 1},     {"0x1", 1},
    {"+0", 1},       {"-0", 1},
    {"cuda:0", 0},   {"all", 0},
    {"no", 0},       {",0", 0},
    {"0,", 1},       {"0;1", 1},
    {"0 1", 1},      {"GPU-zzzz", 0},
    {"gpu-0", 0},    {"0,GPU-zzzz", 1},
    {"0,cuda:1", 1}, {"0,,0", 1},
    {"00", 1},       {"9999999999999999999999", 0},
};

static const Row *row; // the one a child is to check

static void sees_what_the_row_says(void)
{
    int n = 0;
    setenv("CUDA_VISIBLE_DEVICES", row->visible, 1);
    EQUAL(cudaGetDeviceCount(&n), row->count ? cudaSuccess : cudaErrorNoDevice);
    EQUAL(n, row->count);
}

static void every_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        row = &rows[i];
        if (run_child(&(Alone){sees_what_the_row_says, {NULL}}) != 0)
            fail_msg("CUDA_VISIBLE_DEVICES=%s:\n%s", row->visible, said);
    }
}

/* seeds 3.13: the first call fixes what is visible. */
static void read_once(void)
{
    int n;
    OK(cudaGetDeviceCount(&n));
    EQUAL(n, 1);
    setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
    OK(cudaGetDeviceCount(&n));
    EQUAL(n, 1);
}

static void error_texts_do_not_fix_it(void)
{
    int n;
    cudaGetErrorString(cudaErrorInvalidDevice);
    setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
    EQUAL(cudaGetDeviceCount(&n), cudaErrorNoDevice);
}

static void nothing_visible(void)
{
    int n = 42;
    void *p;
    EQUAL(cudaGetDeviceCount(&n), cudaErrorNoDevice);
    EQUAL(cudaSetDevice(0), cudaErrorNoDevice);
    EQUAL(cudaMalloc(&p, 8), cudaErrorNoDevice);
    EQUAL(cudaGetLastError(), cudaErrorNoDevice);
}

static void by_uuid(void)
{
    char text[64] = "CUDA_VISIBLE_DEVICES=GPU-";
    struct cudaDeviceProp card;
    int n;
    int ends[2];
    OK(pipe(ends));
    if (fork() == 0) { // the question must not fix the answer
        OK(cudaGetDeviceProperties(&card, 0));
        n = (int)write(ends[1], card.uuid.bytes, 16);
        _exit(n == 16 ? 0 : 1);
    }
    unsigned char bytes[16];
    EQUAL(read(ends[0], bytes, 16), 16);
    for (int i = 0; i < 4; i++)
        snprintf(text + strlen(text), 3, "%02x", bytes[i]);
    putenv(text);
    OK(cudaGetDeviceCount(&n));
    EQUAL(n, 1);
    OK(cudaGetDeviceProperties(&card, 0));
    EQUAL(memcmp(card.uuid.bytes, bytes, 16), 0);
}

static void choosing(void)
{
    int n, device;
    OK(cudaGetDeviceCount(&n));
    OK(cudaGetDevice(&device));
    EQUAL(device, 0);
    EQUAL(cudaSetDevice(n), cudaErrorInvalidDevice);
    EQUAL(cudaSetDevice(-1), cudaErrorInvalidDevice);
    OK(cudaSetDevice(n - 1));
    OK(cudaGetDevice(&device));
    EQUAL(device, n - 1);
    EQUAL(cudaGetDevice(NULL), cudaErrorInvalidValue);
    EQUAL(cudaGetDeviceCount(NULL), cudaErrorInvalidValue);
}

static void asking(void)
{
    struct cudaDeviceProp p;
    char bus[16];
    int n, value;
    OK(cudaGetDeviceCount(&n));
    OK(cudaGetDeviceProperties(&p, 0));
    EQUAL(p.warpSize, 32);
    EQUAL(p.maxThreadsPerBlock, 1024);
    EQUAL(p.unifiedAddressing, 1);
    EQUAL(cudaGetDeviceProperties(&p, n), cudaErrorInvalidDevice);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    EQUAL(value, p.multiProcessorCount);
    EQUAL(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, n),
          cudaErrorInvalidDevice);
    EQUAL(cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0),
          cudaErrorInvalidValue);
    OK(cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
    OK(cudaDeviceGetByPCIBusId(&value, bus));
    EQUAL(value, 0);
}

static void peers_of_one(void)
{
    int n, can;
    OK(cudaGetDeviceCount(&n));
    OK(cudaDeviceCanAccessPeer(&can, 0, 0));
    EQUAL(can, 0);
    EQUAL(cudaDeviceCanAccessPeer(&can, 0, n), cudaErrorInvalidDevice);
    EQUAL(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice); // itself
    EQUAL(cudaDeviceEnablePeerAccess(n, 0), cudaErrorInvalidDevice);
    EQUAL(cudaDeviceDisablePeerAccess(n), cudaErrorInvalidDevice);
    float *p = device_floats(8, 4);
    float *q = device_floats(8, 0);
    OK(cudaMemcpyPeer(q, 0, p, 0, 32)); // to itself: a copy
    TRUE(float_at(q + 7) == 4);
    EQUAL(cudaMemcpyPeer(q, n, p, 0, 32), cudaErrorInvalidDevice);
    EQUAL(cudaMemcpyPeer(q, 0, p, -1, 32), cudaErrorInvalidDevice);
}

static void peers_of_two(void)
{
    int can;
    needs_gpus(2);
    float *p = device_floats(8, 6);
    OK(cudaSetDevice(1));
    float *q = device_floats(8, 0);
    OK(cudaMemcpyPeer(q, 1, p, 0, 32)); // with or without access
    TRUE(float_at(q) == 6);
    OK(cudaDeviceCanAccessPeer(&can, 1, 0));
    if (!can) {
        EQUAL(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
        return;
    }
    EQUAL(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
    OK(cudaDeviceEnablePeerAccess(0, 0));
    EQUAL(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessAlreadyEnabled);
    OK(scale(q, p, 8, 2, 0));
    TRUE(float_at(q) == 12);
    OK(cudaDeviceDisablePeerAccess(0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row),
        ALONE(read_once, "CUDA_VISIBLE_DEVICES=0"),
        ALONE(error_texts_do_not_fix_it),
        ALONE(nothing_visible, "CUDA_VISIBLE_DEVICES=-1"),
        ALONE(by_uuid),
        ALONE(choosing),
        ALONE(asking),
        ALONE(peers_of_one),
        ALONE(peers_of_two),
    };
    return cmocka_run_group_tests_name("both visible", tests, NULL, NULL);
}
