/* What the cuBLAS tests share: a handle on device 0 and three arrays there. */
#ifndef CUBLAS_FIXTURE_H
#define CUBLAS_FIXTURE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <cublas_v2.h>    // defines: the calls
#include <cuda_runtime.h> // defines: cudaMalloc, cudaMemcpy
#include <cudasim.h>      // defines: cudasimNow, cudasimFailAfter

enum { ROOM = 4096 };

static cublasHandle_t handle;
static float *da, *db, *dc;             // ROOM floats each, on device 0
static float a[ROOM], b[ROOM], c[ROOM]; // what they hold at first
static const float one = 1, zero = 0;

#define OK(call) assert_int_equal((int)(call), 0)
#define STATUS(call, status) assert_int_equal((int)(call), (int)(status))

static inline int make_handle(void **state)
{
    (void)state;
    cudaSetDevice(0);
    for (int i = 0; i < ROOM; i++) {
        a[i] = ((float)((i * 7) % 23) - 11) / 3; // sums round
        b[i] = (float)((i * 5) % 19) / 4 - 2;
        c[i] = (float)(i % 3);
    }
    float **all[] = {&da, &db, &dc};
    const float *from[] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        if (cudaMalloc((void **)all[i], sizeof(a)) != cudaSuccess)
            return -1;
        cudaMemcpy(*all[i], from[i], sizeof(a), cudaMemcpyHostToDevice);
    }
    return (int)cublasCreate(&handle);
}

static inline int drop_handle(void **state)
{
    (void)state;
    cudaSetDevice(0);
    cublasDestroy(handle);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    return 0;
}

static inline void fetch(void *to, const void *from, size_t bytes)
{
    OK(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}

/* Send stderr into a file while `what` runs, and give back what came. */
static inline const char *stderr_of(void (*what)(void))
{
    static char text[1024];
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    int kept = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    what();
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    return text;
}

#endif
