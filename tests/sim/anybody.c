/* A CUDA program in plain C by somebody who has never heard of this project.
 *
 * It looks at the devices, sends a buffer round them, overlaps copies with a
 * matrix product, and handles an error. Built with one compiler line
 * (tests/sim/anybody.sh), it must run on the simulator unchanged. */
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t err_ = (call);                                             \
        if (err_ != cudaSuccess) {                                             \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__,             \
                    cudaGetErrorName(err_), cudaGetErrorString(err_));         \
            exit(EXIT_FAILURE);                                                \
        }                                                                      \
    } while (0)

static void query(int count)
{
    for (int i = 0; i < count; i++) {
        struct cudaDeviceProp prop;
        int clock;
        CHECK(cudaGetDeviceProperties(&prop, i));
        CHECK(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, i));
        printf("Device %d: %s, %d.%d, %d SMs at %d MHz, %.2f GiB\n", i,
               prop.name, prop.major, prop.minor, prop.multiProcessorCount,
               clock / 1000, (double)prop.totalGlobalMem / (1 << 30));
    }
}

/* Device 0 -> 1 -> ... -> 0, by peer access where there is any. */
static void ring(int count, size_t n)
{
    float **buffers = malloc((size_t)count * sizeof *buffers);
    float *host = malloc(n * sizeof *host);
    for (size_t i = 0; i < n; i++)
        host[i] = (float)i;
    for (int i = 0; i < count; i++) {
        int can = 0;
        CHECK(cudaSetDevice(i));
        CHECK(cudaMalloc((void **)&buffers[i], n * sizeof(float)));
        CHECK(cudaDeviceCanAccessPeer(&can, i, (i + 1) % count));
        if (can)
            CHECK(cudaDeviceEnablePeerAccess((i + 1) % count, 0));
    }
    CHECK(cudaMemcpy(buffers[0], host, n * sizeof(float),
                     cudaMemcpyHostToDevice));
    for (int i = 0; i < count; i++) {
        int next = (i + 1) % count;
        CHECK(cudaMemcpyPeer(buffers[next], next, buffers[i], i,
                             n * sizeof(float)));
    }
    CHECK(cudaSetDevice(0));
    CHECK(cudaMemcpy(host, buffers[0], n * sizeof(float),
                     cudaMemcpyDeviceToHost));
    printf("Ring: last element %.0f\n", host[n - 1]);
    for (int i = 0; i < count; i++)
        CHECK(cudaFree(buffers[i]));
    free(buffers);
    free(host);
}

static void CUDART_CB finished(void *data)
{
    printf("Host function: chunk %d is back\n", *(int *)data);
}

/* Twice the identity, and something to double. */
static void fill(float *a, float *b, int n)
{
    for (int i = 0; i < n * n; i++) {
        a[i] = i % n == i / n ? 2.0f : 0.0f;
        b[i] = (float)(i % 100);
    }
}

static float largest_error(const float *b, const float *c, int n)
{
    float worst = 0;
    for (int i = 0; i < n * n; i++)
        worst = fmaxf(worst, fabsf(c[i] - 2.0f * b[i]));
    return worst;
}

/* Column-major C = A * B in two streams, half the columns each. */
static void multiply(int n)
{
    size_t bytes = (size_t)n * (size_t)n * sizeof(float);
    float *a, *b, *c, *da, *db, *dc;
    cudaStream_t streams[2];
    cudaEvent_t start, stop, loaded;
    cublasHandle_t blas;
    int chunks[] = {0, 1};
    const float one = 1.0f, zero = 0.0f;
    CHECK(cudaMallocHost((void **)&a, bytes));
    CHECK(cudaMallocHost((void **)&b, bytes));
    CHECK(cudaMallocHost((void **)&c, bytes));
    fill(a, b, n);
    CHECK(cudaMalloc((void **)&da, bytes));
    CHECK(cudaMalloc((void **)&db, bytes));
    CHECK(cudaMalloc((void **)&dc, bytes));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventCreateWithFlags(&loaded, cudaEventDisableTiming));
    for (int i = 0; i < 2; i++)
        CHECK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    if (cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS)
        exit(EXIT_FAILURE);
    CHECK(cudaEventRecord(start, streams[0]));
    CHECK(cudaMemcpyAsync(da, a, bytes, cudaMemcpyHostToDevice, streams[0]));
    CHECK(cudaEventRecord(loaded, streams[0]));
    CHECK(cudaStreamWaitEvent(streams[1], loaded, 0));
    for (int i = 0; i < 2; i++) {
        size_t offset = (size_t)i * (size_t)n * (size_t)(n / 2);
        CHECK(cudaMemcpyAsync(db + offset, b + offset, bytes / 2,
                              cudaMemcpyHostToDevice, streams[i]));
        cublasSetStream(blas, streams[i]);
        if (cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, n, n / 2, n, &one, da,
                        n, db + offset, n, &zero, dc + offset,
                        n) != CUBLAS_STATUS_SUCCESS)
            exit(EXIT_FAILURE);
        CHECK(cudaMemcpyAsync(c + offset, dc + offset, bytes / 2,
                              cudaMemcpyDeviceToHost, streams[i]));
    }
    for (int i = 0; i < 2; i++) {
        CHECK(cudaLaunchHostFunc(streams[i], finished, &chunks[i]));
        CHECK(cudaStreamSynchronize(streams[i]));
    }
    CHECK(cudaEventRecord(stop, streams[0]));
    CHECK(cudaEventSynchronize(stop));
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    printf("Product: largest error %g, time is %s\n", largest_error(b, c, n),
           ms > 0 && ms < 100 ? "plausible" : "wrong");

    cublasDestroy(blas);
    for (int i = 0; i < 2; i++)
        CHECK(cudaStreamDestroy(streams[i]));
    cudaEvent_t events[] = {start, stop, loaded};
    float *device[] = {da, db, dc}, *host[] = {a, b, c};
    for (int i = 0; i < 3; i++) {
        CHECK(cudaEventDestroy(events[i]));
        CHECK(cudaFree(device[i]));
        CHECK(cudaFreeHost(host[i]));
    }
}

/* Out of bounds: the runtime says so and goes on. */
static void mistakes(int count)
{
    char host[64];
    char *p;
    CHECK(cudaMalloc((void **)&p, 32));
    cudaError_t err = cudaMemcpy(p, host, 64, cudaMemcpyHostToDevice);
    printf("Too long a copy: %s\n", cudaGetErrorString(err));
    err = cudaSetDevice(count);
    printf("Device %d: %s\n", count, cudaGetErrorString(err));
    printf("Last error: %s\n", cudaGetErrorName(cudaGetLastError()));
    printf("After that: %s\n", cudaGetErrorName(cudaGetLastError()));
    CHECK(cudaFree(p));
    printf("Freed twice: %s\n", cudaGetErrorString(cudaFree(p)));
}

int main(void)
{
    int count = 0;
    CHECK(cudaGetDeviceCount(&count));
    printf("%d devices\n", count);
    query(count);
    CHECK(cudaSetDevice(0));
    ring(count, 1 << 20);
    multiply(256);
    mistakes(count);
    CHECK(cudaDeviceReset());
    return 0;
}
