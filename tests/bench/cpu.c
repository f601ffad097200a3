/* The library on the CPU beside plain C and bare BLAS.
 *
 * run   build/sim/tests/bench/bench_cpu
 */
#include "side_by_side.h"      // defines: Pair, compare, measure
#include "tensor/create.h"     // defines: tensor_rand, tensor_zeros
#include "tensor/functional.h" // defines: tensor_add, tensor_matmul
#include "tensor/scope.h"      // defines: scope_open, scope_close
#include <stdio.h>
#include <stdlib.h>
#ifdef HAVE_CBLAS
#include <cblas.h>
#endif

enum { SMALL = 10000, SIDE = 512 };
static int64_t large = 4 << 20;

static Tensor *a, *b, *c;

static Tensor *random_of(Shape shape)
{
    return tensor_rand(FLOAT32, shape, device_cpu());
}

static void add_small(void *context)
{
    (void)context;
    for (int i = 0; i < SMALL; i++) {
        scope_open();
        (void)tensor_add(a, b);
        scope_close();
    }
}

static void add_large(void *context)
{
    (void)context;
    (void)tensor_add_(c, a);
}

static void loop_large(void *context)
{
    (void)context;
    float *restrict to = tensor_data(c);
    const float *from = tensor_data(a);
    for (int64_t i = 0; i < large; i++)
        to[i] += from[i];
}

static void add_large_new(void *context)
{
    (void)context;
    scope_open();
    (void)tensor_add(a, b);
    scope_close();
}

static void loop_large_new(void *context)
{
    (void)context;
    float *restrict to = malloc((size_t)large * sizeof *to);
    const float *x = tensor_data(a), *y = tensor_data(b);
    for (int64_t i = 0; to && i < large; i++)
        to[i] = x[i] + y[i];
    __asm__ volatile("" : : "r"(to) : "memory"); // it is used
    free(to);
}

#ifdef HAVE_CBLAS
static void matmul(void *context)
{
    (void)context;
    scope_open();
    (void)tensor_matmul(a, b);
    scope_close();
}

static void bare_gemm(void *context)
{
    (void)context;
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIDE, SIDE, SIDE, 1,
                tensor_data(a), SIDE, tensor_data(b), SIDE, 0, tensor_data(c),
                SIDE);
}
#endif

int main(int argc, char **argv)
{
    if (bench_begin(argc, argv))
        large = 4 << 10;
    scope_open();
    a = random_of(shape(1));
    b = random_of(shape(1));
    printf("one-element add, its tensor made and freed: %.0f ns\n",
           measure(add_small, NULL, SMALL));

    a = random_of(shape(large));
    b = random_of(shape(large));
    c = random_of(shape(large));
    compare(&(Pair){"add_ of 4 Mi floats", "library", "C loop", add_large,
                    loop_large, NULL, 1, "at most 1.11"});
    compare(&(Pair){"add of 4 Mi floats", "library", "C loop", add_large_new,
                    loop_large_new, NULL, 1, "at most 1.11"});
#ifdef HAVE_CBLAS
    a = random_of(shape(SIDE, SIDE));
    b = random_of(shape(SIDE, SIDE));
    c = random_of(shape(SIDE, SIDE));
    compare(&(Pair){"matmul, 512 x 512 x 512", "library", "cblas_sgemm", matmul,
                    bare_gemm, NULL, 1, "at most 1.05"});
#endif
    scope_close();
    return 0;
}
