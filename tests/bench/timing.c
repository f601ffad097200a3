/* Times of work on GPU 0, in nanoseconds. */
#include "timing.h"       // defines: this file's interface
#include "device/clock.h" // defines: clock_now_ns, clock_word
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    MOST_ROUNDS = 9,
    ROW_COLUMNS = 256,          // of the product that holds the GPU
    HOLD_DEPTH = 1 << 15,       // its inner dimension
    CALL_NS = 20 * 1000,        // more than a call takes
    ENOUGH_NS = 200 * 1000,     // a round lasts that long, if it can
    LONG_NS = 100 * 1000 * 1000 // once is enough
};

static cudaEvent_t begin, end;
static cublasHandle_t blas;
static float *factor, *product;
static double hold_ns; // of one holding product
static int n_rounds = MOST_ROUNDS;

void must(bool is_well, const char *call, const char *file, int line)
{
    if (is_well)
        return;
    fprintf(stderr, "%s:%d: %s failed: %s\n", file, line, call,
            cudaGetErrorString(cudaGetLastError()));
    exit(1);
}

bool timing_is_simulated(void)
{
    return clock_word()[0] == 's';
}

cublasHandle_t timing_blas(void)
{
    return blas;
}

/* Keep the GPU busy while the host issues so many calls: a product that is
 * long and thin takes its time and little memory. The simulator charges it
 * by its shape, and alpha = 0 spares the host the arithmetic. */
static void hold(int n_calls)
{
    const float one = timing_is_simulated() ? 0 : 1;
    const float zero = 0;
    int n = hold_ns > 0 ? 1 + (int)((double)n_calls * CALL_NS / hold_ns) : 1;
    for (int i = 0; i < n; i++)
        MUST(cublasSgemm(blas, CUBLAS_OP_T, CUBLAS_OP_N, ROW_COLUMNS,
                         ROW_COLUMNS, HOLD_DEPTH, &one, factor, HOLD_DEPTH,
                         factor, HOLD_DEPTH, &zero, product, ROW_COLUMNS));
}

static double between(void)
{
    float ms;
    MUST(cudaEventSynchronize(end));
    MUST(cudaEventElapsedTime(&ms, begin, end));
    return 1e6 * (double)ms;
}

void timing_open(void)
{
    size_t bytes = sizeof(float) * ROW_COLUMNS * HOLD_DEPTH;
    if (timing_is_simulated())
        n_rounds = 1; // they are all alike
    MUST(cudaEventCreate(&begin));
    MUST(cudaEventCreate(&end));
    MUST(cublasCreate(&blas));
    MUST(cudaMalloc((void **)&factor, bytes));
    MUST(cudaMalloc((void **)&product,
                    sizeof(float) * ROW_COLUMNS * ROW_COLUMNS));
    MUST(cudaMemset(factor, 0, bytes));
    for (int i = 0; i < 2; i++) { // the first finds a cold card
        hold(0);
        MUST(cudaEventRecord(begin, 0));
        hold(0);
        MUST(cudaEventRecord(end, 0));
        hold_ns = between();
        if (i == 0)
            hold_ns = 0;
    }
}

void timing_close(void)
{
    MUST(cudaFree(factor));
    MUST(cudaFree(product));
    MUST(cublasDestroy(blas));
    MUST(cudaEventDestroy(begin));
    MUST(cudaEventDestroy(end));
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, ascending);
    return values[n / 2];
}

static double one_round(const Work *work, int n)
{
    hold(n + 2);
    MUST(cudaEventRecord(begin, 0));
    for (int i = 0; i < n; i++)
        work->run(work);
    MUST(cudaEventRecord(end, 0));
    return between() / n;
}

double device_ns(const Work *work)
{
    double taken[MOST_ROUNDS];
    double first_ns = one_round(work, 2);
    if (timing_is_simulated())
        return first_ns;
    int n = first_ns > 0 ? (int)(ENOUGH_NS / first_ns) : 2;
    if (n > 20)
        n = 20;
    if (n < 2)
        n = 2;
    int rounds = first_ns > LONG_NS ? 1 : n_rounds;
    for (int i = 0; i < rounds; i++)
        taken[i] = one_round(work, n);
    return median(taken, rounds);
}

double submit_ns(const Work *work)
{
    enum { N_CALLS = 20 };
    double taken[MOST_ROUNDS];
    for (int i = 0; i < n_rounds; i++) {
        hold(N_CALLS);
        int64_t start_ns = clock_now_ns();
        for (int j = 0; j < N_CALLS; j++)
            work->run(work);
        taken[i] = (double)(clock_now_ns() - start_ns) / N_CALLS;
        MUST(cudaDeviceSynchronize());
    }
    return median(taken, n_rounds);
}

double host_ns(const Work *work)
{
    double taken[MOST_ROUNDS];
    work->run(work);
    for (int i = 0; i < n_rounds; i++) {
        MUST(cudaDeviceSynchronize());
        int64_t start_ns = clock_now_ns();
        work->run(work);
        taken[i] = (double)(clock_now_ns() - start_ns);
    }
    return median(taken, n_rounds);
}

void print_row(const char *what, int64_t size, double bytes, double flops,
               double ns)
{
    printf("%-24s %12" PRId64 " %14.0f %18.0f %14.1f\n", what, size, bytes,
           flops, ns);
    fflush(stdout);
}
