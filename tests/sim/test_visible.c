/* CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER. */
#include "alone.h"
#include "cudasim.h" // defines: what the simulator adds

typedef struct Row {
    const char *visible; // NULL: unset
    const char *gpus;    // the machine's GPUs that are seen, in order
} Row;

/* Eight V100: equals, so fastest first is the order on the bus. */
static const Row rows[] = {
    {NULL, "01234567"},
    {"", ""},
    {"0", "0"},
    {"1", "1"},       // seeds 3.11
    {"0,2,3", "023"}, // seeds 3.12
    {"0,1", "01"},    // seeds 3.13, and 4.11
    {"1,2", "12"},    // seeds 3.13
    {"2,3", "23"},    // seeds 4.5
    {"0,3,2", "032"}, // seeds 4.6
    {"7,0", "70"},
    {"-1", ""},
    {"0,2,-1,1", "02"}, // what follows the first invalid one is cut
    {"8", ""},
    {"0,8,1", "0"},
    {"9999999999999999999999", ""},
    {"0,0", ""}, // twice: none at all
    {"0,1,0", ""},
    {"0,1,9,0", "01"}, // cut before the repetition
    {" 0 , 2 ", "02"},
    {"1gpu2,2ampere", "12"}, // like strtoul
    {"0x1", "0"},
    {"+3", "3"},
    {"-0", "0"},
    {"cuda:0", ""},
    {"all", ""},
    {"no", ""},
    {",0", ""},
    {"0,", "0"},
    {"0,,1", "0"},
    {"0;1", "0"},
    {"0 1", "0"},
    {"GPU-8932f937-d72c-4106-c12f-20bd9faed9f6", "0"},
    {"GPU-8932f937", "0"}, // a prefix that only one has
    {"GPU-1a7c,GPU-8932", "10"},
    {"GPU-", ""}, // ambiguous
    {"GPU-ffff", ""},
    {"GPU-1a7c,GPU-1a7c3b52", ""}, // the same one twice
    {"GPU-1a7c,0", "1"},           // another kind ends the list
    {"0,GPU-1a7c", "0"},
    {"gpu-8932f937", ""},
    {"MIG-GPU-8932f937-d72c-4106-c12f-20bd9faed9f6/1/2", ""},
    {"0,MIG-8932f937", "0"},
};

static const Row *row; // the one a child is to check

static void sees_what_the_row_says(void)
{
    int n = 0;
    if (row->visible)
        setenv("CUDA_VISIBLE_DEVICES", row->visible, 1);
    else
        unsetenv("CUDA_VISIBLE_DEVICES");
    cudaError_t error = cudaGetDeviceCount(&n);
    EQUAL(n, strlen(row->gpus));
    EQUAL(error, n ? cudaSuccess : cudaErrorNoDevice);
    for (int i = 0; i < n; i++)
        EQUAL(cudasimPhysicalDevice(i), row->gpus[i] - '0');
    EQUAL(cudasimPhysicalDevice(n), -1);
    EQUAL(cudasimMachineGpus(), 8);
}

static void every_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        row = &rows[i];
        if (run_child(&(Alone){sees_what_the_row_says, {NULL}}) != 0)
            fail_msg("CUDA_VISIBLE_DEVICES=%s:\n%s",
                     row->visible ? row->visible : "(unset)", said);
    }
}

/* seeds 3.13: the first call fixes what is visible, even this one. */
static void read_once(void)
{
    int n;
    setenv("CUDA_VISIBLE_DEVICES", "2", 1);
    OK(cudaGetDeviceCount(&n));
    EQUAL(n, 1);
    setenv("CUDA_VISIBLE_DEVICES", "0,1,2", 1);
    OK(cudaGetDeviceCount(&n));
    EQUAL(n, 1);
    EQUAL(cudasimPhysicalDevice(0), 2);
}

static void error_texts_do_not_fix_it(void)
{
    int n;
    cudaGetErrorString(cudaErrorInvalidDevice);
    setenv("CUDA_VISIBLE_DEVICES", "0,1,2", 1);
    OK(cudaGetDeviceCount(&n));
    EQUAL(n, 3);
}

/* seeds 3.17: a name that is not the variable's is nobody's business. */
static void misspelt(void)
{
    int n;
    OK(cudaGetDeviceCount(&n));
    EQUAL(n, 8);
}

static void ordinals_start_again_at_0(void)
{
    int n;
    OK(cudaGetDevice(&n));
    EQUAL(n, 0);
    EQUAL(cudasimPhysicalDevice(0), 1);
    EQUAL(cudaSetDevice(1), cudaErrorInvalidDevice);
}

static void nothing_visible(void)
{
    int n = 42;
    void *p;
    EQUAL(cudaGetDeviceCount(&n), cudaErrorNoDevice);
    EQUAL(n, 42); // untouched
    EQUAL(cudaSetDevice(0), cudaErrorNoDevice);
    EQUAL(cudaGetDevice(&n), cudaErrorNoDevice);
    EQUAL(cudaMalloc(&p, 8), cudaErrorNoDevice);
    EQUAL(cudaGetLastError(), cudaErrorNoDevice);
    EQUAL(cudaGetLastError(), cudaSuccess);
}

/* M mixed: a T4 first on the bus, a faster V100 second. */
static void expect_first(const char *name)
{
    struct cudaDeviceProp prop;
    OK(cudaGetDeviceProperties(&prop, 0));
    EQUAL(strncmp(prop.name, name, strlen(name)), 0);
}

static void fastest_first(void)
{
    expect_first("Tesla V100");
}

static void by_bus(void)
{
    expect_first("Tesla T4");
}

static void a_bad_order(void **state)
{
    (void)state;
    dies(by_bus, "CUDA_DEVICE_ORDER=SLOWEST_FIRST", 2,
         "cudasim: CUDA_DEVICE_ORDER=SLOWEST_FIRST is not valid; it can be "
         "FASTEST_FIRST (the default) or PCI_BUS_ID.\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row),
        ALONE(read_once),
        ALONE(error_texts_do_not_fix_it),
        ALONE(misspelt, "CUDA_VISIBLE_DEVICE=1"),
        ALONE(ordinals_start_again_at_0, "CUDA_VISIBLE_DEVICES=1"),
        ALONE(nothing_visible, "CUDA_VISIBLE_DEVICES=-1"),
        ALONE(fastest_first, "SIM_MACHINE=mixed"),
        ALONE(by_bus, "SIM_MACHINE=mixed", "CUDA_DEVICE_ORDER=PCI_BUS_ID"),
        ALONE(by_bus, "SIM_MACHINE=mixed", "CUDA_VISIBLE_DEVICES=1,0"),
        ALONE(fastest_first, "SIM_MACHINE=mixed", "CUDA_VISIBLE_DEVICES=1",
              "CUDA_DEVICE_ORDER=PCI_BUS_ID"),
        cmocka_unit_test(a_bad_order),
    };
    return cmocka_run_group_tests_name("sim visible", tests, NULL, NULL);
}
