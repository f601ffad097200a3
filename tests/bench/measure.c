/* What things take on GPU 0: the table that fit.py makes a machine file of.
 *
 * Transfers, calls, device memory, a kernel, matrix products, copies between
 * GPUs where there are several, and programs.c's programs. On the simulator
 * the same program says what the machine file says, which is how fit.py
 * predicts and how it is tested. Without a GPU: a sentence, and 77.
 *
 * run   build/cuda/tests/bench/bench_measure [--largest BYTES] [--side N]
 *       (README.md here)
 */
#include "device/clock.h" // defines: clock_now_ns
#include "programs.h"     // defines: programs_run
#include "scale.h"        // defines: scale
#include "timing.h"       // defines: device_ns, host_ns, submit_ns, print_row
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static size_t largest = 1 << 30; // bytes of a transfer
static int largest_side = 8192;  // of a matrix
static void *pinned, *pageable, *a, *b, *c;

/* What is timed */

static void run_copy(const Work *w)
{
    MUST(cudaMemcpyAsync(w->to, w->from, w->bytes, cudaMemcpyDefault, 0));
}

static void run_waiting_copy(const Work *w)
{
    MUST(cudaMemcpy(w->to, w->from, w->bytes, cudaMemcpyDefault));
}

static void run_memset(const Work *w)
{
    MUST(cudaMemsetAsync(w->to, 0, w->bytes, 0));
}

static void run_scale(const Work *w)
{
    MUST(scale(w->to, w->from, (int64_t)(w->bytes / 8), 1, 0));
}

static void run_call(const Work *w)
{
    int device;
    (void)w;
    MUST(cudaGetDevice(&device));
}

static void run_query(const Work *w)
{
    (void)w;
    MUST(cudaStreamQuery(0));
}

static void run_sync(const Work *w)
{
    (void)w;
    MUST(cudaDeviceSynchronize());
}

static void run_peer_copy(const Work *w)
{
    MUST(cudaMemcpyPeerAsync(w->to, 1, w->from, 0, w->bytes, 0));
}

typedef struct Type {
    const char *name;
    cudaDataType input, output;
    cublasComputeType_t compute;
    int input_bytes, output_bytes;
} Type;

static const Type types[] = {
    {"float32", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, 4, 4},
    {"tf32", CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, 4, 4},
    {"float64", CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, 8, 8},
    {"float16", CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, 2, 2},
    {"bfloat16", CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, 2, 2},
    {"int8", CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, 1, 4},
};
enum { N_TYPES = sizeof types / sizeof *types };

static cublasStatus_t multiply(const Work *w)
{
    const Type *type = &types[w->type];
    // The simulator charges by the shape, and 0 spares it the arithmetic.
    bool is_spared = timing_is_simulated();
    const float one32 = is_spared ? 0 : 1;
    const double one64 = is_spared ? 0 : 1;
    const int one8 = is_spared ? 0 : 1;
    const double zero = 0; // all bits are: of every type
    const void *one = &one32;
    if (type->compute == CUBLAS_COMPUTE_64F)
        one = &one64;
    if (type->compute == CUBLAS_COMPUTE_32I)
        one = &one8;
    int n = w->side;
    return cublasGemmEx(timing_blas(), CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, one,
                        a, type->input, n, b, type->input, n, &zero, c,
                        type->output, n, type->compute, CUBLAS_GEMM_DEFAULT);
}

static void run_product(const Work *w)
{
    MUST(multiply(w));
}

/* The sections of the table */

static void first_use(void)
{
    int64_t start_ns = clock_now_ns();
    MUST(cudaSetDevice(0)); // the context is made here
    print_row("call_context", 0, 0, 0, (double)(clock_now_ns() - start_ns));
}

/* Memory taken and given back: malloc and free as the host sees them. */
static void allocations(void)
{
    void *p;
    enum { N = 20, BYTES = 1 << 20 };
    double ns[4] = {0};
    cudaMemPool_t pool;
    uint64_t all = UINT64_MAX;
    int has_pools = 0;
    MUST(
        cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, 0));
    if (has_pools) {
        MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
        MUST(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
                                     &all));
    }
    for (int i = -1; i < N; i++) {
        int64_t t0 = clock_now_ns();
        MUST(cudaMalloc(&p, BYTES));
        int64_t t1 = clock_now_ns();
        MUST(cudaFree(p));
        int64_t t2 = clock_now_ns();
        if (has_pools) {
            MUST(cudaMallocAsync(&p, BYTES, 0));
            MUST(cudaFreeAsync(p, 0));
        }
        int64_t t3 = clock_now_ns();
        if (i < 0)
            continue; // the first one also makes what it needs
        ns[0] += (double)(t1 - t0) / N;
        ns[1] += (double)(t2 - t1) / N;
        ns[2] += (double)(t3 - t2) / (2 * N);
    }
    print_row("call_malloc", BYTES, BYTES, 0, ns[0]);
    print_row("call_free", BYTES, BYTES, 0, ns[1]);
    if (has_pools)
        print_row("call_pool", BYTES, BYTES, 0, ns[2]);
    for (size_t bytes = 4096; bytes <= largest; bytes *= 16) {
        int64_t t0 = clock_now_ns();
        MUST(cudaMallocHost(&p, bytes));
        int64_t t1 = clock_now_ns();
        MUST(cudaFreeHost(p));
        print_row("host_malloc", (int64_t)bytes, (double)bytes, 0,
                  (double)(t1 - t0));
    }
}

static void calls(void)
{
    Work w = {.to = a, .from = pinned, .bytes = 1024};
    w.run = run_call;
    print_row("call_call", 0, 0, 0, submit_ns(&w));
    w.run = run_copy;
    print_row("call_copy", 1024, 1024, 0, submit_ns(&w));
    w.run = run_scale;
    w.from = b;
    print_row("call_launch", 1024, 1024, 0, submit_ns(&w));
    w.run = run_query;
    print_row("call_query", 0, 0, 0, host_ns(&w));
    w.run = run_sync;
    print_row("call_sync", 0, 0, 0, host_ns(&w));
}

/* One kind of work over sizes from 1 KiB on, four times as much each. */
static void sweep(const char *what, Work w, double (*time)(const Work *))
{
    for (size_t bytes = 1024; bytes <= largest; bytes *= 4) {
        w.bytes = bytes;
        print_row(what, (int64_t)bytes, (double)bytes, 0, time(&w));
    }
}

static void transfers(void)
{
    sweep("h2d_pinned", (Work){.run = run_copy, .to = a, .from = pinned},
          device_ns);
    sweep("d2h_pinned", (Work){.run = run_copy, .to = pinned, .from = a},
          device_ns);
    sweep("h2d_pageable",
          (Work){.run = run_waiting_copy, .to = a, .from = pageable}, host_ns);
    sweep("d2h_pageable",
          (Work){.run = run_waiting_copy, .to = pageable, .from = a}, host_ns);
    sweep("h2d_pinned_waiting",
          (Work){.run = run_waiting_copy, .to = a, .from = pinned}, host_ns);
    sweep("d2h_pinned_waiting",
          (Work){.run = run_waiting_copy, .to = pinned, .from = a}, host_ns);
}

static void device_memory(void)
{
    sweep("copy", (Work){.run = run_copy, .to = b, .from = a}, device_ns);
    sweep("memset", (Work){.run = run_memset, .to = b}, device_ns);
    for (size_t bytes = 1024; bytes <= largest; bytes *= 4) {
        Work w = {.run = run_scale, .to = b, .from = a, .bytes = bytes};
        print_row("kernel", (int64_t)bytes, (double)bytes, (double)(bytes / 8),
                  device_ns(&w));
    }
}

static void products(void)
{
    for (int i = 0; i < N_TYPES; i++) {
        char name[32];
        snprintf(name, sizeof name, "gemm_%s", types[i].name);
        for (int side = 256; side <= largest_side; side *= 2) {
            Work w = {.run = run_product, .side = side, .type = i};
            double area = (double)side * side;
            if (multiply(&w) != CUBLAS_STATUS_SUCCESS) {
                printf("# %s: this card or cuBLAS does not do it\n", name);
                break;
            }
            print_row(name, side,
                      area * (2 * types[i].input_bytes + types[i].output_bytes),
                      2 * area * side, device_ns(&w));
        }
    }
}

static void peers(void)
{
    int count = 0;
    int can = 0;
    void *there;
    MUST(cudaGetDeviceCount(&count));
    if (count < 2)
        return;
    MUST(cudaSetDevice(1));
    MUST(cudaMalloc(&there, largest));
    MUST(cudaMemset(there, 0, largest));
    MUST(cudaDeviceSynchronize());
    MUST(cudaSetDevice(0));
    sweep("peer_off", (Work){.run = run_peer_copy, .to = there, .from = a},
          device_ns);
    MUST(cudaDeviceCanAccessPeer(&can, 0, 1));
    if (can) {
        MUST(cudaDeviceEnablePeerAccess(1, 0));
        sweep("peer_on", (Work){.run = run_peer_copy, .to = there, .from = a},
              device_ns);
        MUST(cudaDeviceDisablePeerAccess(1));
    }
    MUST(cudaFree(there));
}

/* What stands above the table */

/* The driver's version as nvidia-smi has it, where Linux tells. */
static void print_driver(void)
{
    char word[64] = "";
    int version = 0;
    MUST(cudaDriverGetVersion(&version));
    FILE *file = timing_is_simulated()
                     ? NULL
                     : fopen("/proc/driver/nvidia/version", "r");
    while (file && fscanf(file, "%63s", word) == 1)
        if (strspn(word, "0123456789.") == strlen(word) && strchr(word, '.'))
            break;
    if (file)
        fclose(file);
    printf("# driver   %s%sCUDA %d.%d\n", word, *word ? ", " : "",
           version / 1000, version % 1000 / 10);
}

static void print_head(int n_gpus)
{
    struct cudaDeviceProp card;
    int runtime = 0;
    char date[16];
    time_t now = time(NULL);
    MUST(cudaGetDeviceProperties(&card, 0));
    MUST(cudaRuntimeGetVersion(&runtime));
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    printf("# card     %s\n", card.name);
    print_driver();
    printf("# toolkit  %d.%d\n", runtime / 1000, runtime % 1000 / 10);
    printf("# date     %s\n", date);
    printf("# gpus     %d\n", n_gpus);
    printf("# times    %s\n", clock_word());
    printf("# %-22s %12s %14s %18s %14s\n", "what", "size", "bytes", "flops",
           "ns");
}

/* Numbers that are ordinary in every type: zeros are multiplied faster. The
 * simulator does not multiply here. */
static void fill(size_t bytes)
{
    uint16_t *out = pageable;
    uint32_t seed = 1;
    for (size_t i = 0; i < largest / sizeof *out; i++) {
        seed = seed * 1664525 + 1013904223;
        out[i] = (uint16_t)(0x3800 | seed >> 22);
    }
    memcpy(pinned, pageable, largest);
    for (size_t at = 0; at < bytes && !timing_is_simulated(); at += largest) {
        size_t n = bytes - at < largest ? bytes - at : largest;
        MUST(cudaMemcpy((char *)a + at, pageable, n, cudaMemcpyHostToDevice));
        MUST(cudaMemcpy((char *)b + at, pageable, n, cudaMemcpyHostToDevice));
    }
}

/* Of the widest matrix in the widest type. */
static size_t matrix_bytes(void)
{
    return (size_t)largest_side * (size_t)largest_side * sizeof(double);
}

/* Three arrays in the GPU, a quarter of what is free each at most. */
static void prepare(void)
{
    size_t room, total;
    MUST(cudaMemGetInfo(&room, &total));
    while (largest > room / 4)
        largest /= 4;
    while (matrix_bytes() > room / 4)
        largest_side /= 2;
    size_t bytes = largest > matrix_bytes() ? largest : matrix_bytes();
    MUST(cudaMallocHost(&pinned, largest));
    pageable = malloc(largest);
    must(pageable != NULL, "malloc", __FILE__, __LINE__);
    MUST(cudaMalloc(&a, bytes));
    MUST(cudaMalloc(&b, bytes));
    MUST(cudaMalloc(&c, bytes));
    fill(bytes);
}

static int usage(void)
{
    fprintf(stderr, "usage: bench_measure [--largest BYTES] [--side N], BYTES "
                    "at least 1048576, N at least 256\n");
    return 2;
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--largest") == 0)
            largest = (size_t)strtoull(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--side") == 0)
            largest_side = atoi(argv[i + 1]);
        else
            return usage();
    }
    if (argc % 2 == 0 || largest < 1 << 20 || largest_side < 256)
        return usage();
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count < 1) {
        printf("needs 1 GPU, and there are 0: %s\n", cudaGetErrorString(error));
        return 77;
    }
    print_head(count);
    first_use();
    prepare();
    timing_open();
    calls();
    allocations();
    transfers();
    device_memory();
    products();
    peers();
    programs_run(largest, largest_side);
    timing_close();
    return 0;
}
