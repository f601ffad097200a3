/* The simulator under eight host threads, each with a GPU of its own, that
 * also meet: at one stream, at each other's memory and events. */
#include "crowd.h" // defines: crowd, meet, MUST

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cudasim.h>
#include <stdint.h>
#include <string.h>

enum { N = 256, ROUNDS = 12 };

#define FINE(call) MUST((call) == cudaSuccess)

typedef struct Add {
    float *x;
    float more;
    int n;
} Add;

static void add(void *args)
{
    const Add *k = args;
    for (int i = 0; i < k->n; i++)
        k->x[i] += k->more;
}

static void launch(float *x, float more, cudaStream_t stream)
{
    static const CudasimKernel info = {
        .name = "add", .run = add, .args_bytes = sizeof(Add), .n_pointers = 1};
    const void *func = (const void *)(uintptr_t)add;
    Add k = {x, more, N};
    FINE(cudasimRegisterKernel(func, &info)); // by every thread, every time
    FINE(cudaLaunchKernel(func, (dim3){1, 1, 1}, (dim3){N, 1, 1},
                          (void *[]){&k}, 0, stream));
}

static void fill(float *x, float value, cudaStream_t stream)
{
    float host[N];
    for (int i = 0; i < N; i++)
        host[i] = value;
    FINE(cudaMemcpyAsync(x, host, sizeof host, cudaMemcpyHostToDevice, stream));
    FINE(cudaStreamSynchronize(stream));
}

static void expect(const float *x, float value)
{
    float host[N];
    FINE(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
    MUST(host[0] == value && host[N - 1] == value);
}

static float *buffers[N_THREADS]; // one on each GPU
static cudaStream_t streams[N_THREADS], shared_stream;
static cudaEvent_t events[N_THREADS];

static void open_all(int me)
{
    int now = -1;
    FINE(cudaSetDevice(me));
    FINE(cudaMallocAsync((void **)&buffers[me], N * sizeof(float), 0));
    FINE(cudaStreamSynchronize(0));
    FINE(cudaStreamCreate(&streams[me]));
    FINE(cudaEventCreate(&events[me]));
    FINE(cudaGetDevice(&now));
    MUST(now == me); // current devices are the threads' own
}

static void close_all(int me)
{
    FINE(cudaStreamDestroy(streams[me]));
    FINE(cudaEventDestroy(events[me]));
    FINE(cudaFreeAsync(buffers[me], 0));
    FINE(cudaDeviceSynchronize());
}

/* Memory, launches, copies, and everybody's questions in between. */
static void alone_on_a_gpu(int me)
{
    open_all(me);
    fill(buffers[me], (float)me, streams[me]);
    for (int i = 0; i < ROUNDS; i++) {
        void *device = NULL;
        void *host = NULL;
        size_t free_bytes, total_bytes;
        launch(buffers[me], 1, streams[me]);
        FINE(cudaMalloc(&device, 4096));
        FINE(cudaMallocHost(&host, 4096));
        FINE(cudaMemcpyAsync(device, host, 4096, cudaMemcpyHostToDevice,
                             cudaStreamPerThread));
        FINE(cudaMemGetInfo(&free_bytes, &total_bytes));
        struct cudaPointerAttributes facts;
        FINE(cudaPointerGetAttributes(&facts, device));
        MUST(facts.device == me);
        FINE(cudaStreamSynchronize(cudaStreamPerThread));
        FINE(cudaFreeHost(host));
        FINE(cudaFree(device));
        CudasimDeviceCounters counters;
        FINE(cudasimGetDeviceCounters((me + 1) % N_THREADS, &counters));
        cudasimChargeHost(10, 10);
        MUST(cudasimNow() > 0);
    }
    FINE(cudaStreamSynchronize(streams[me]));
    expect(buffers[me], (float)(me + ROUNDS));
    close_all(me);
}

/* Each waits on the GPU for what its neighbour's GPU does, and takes its
 * numbers over; peer access is opened by all at once. */
static void neighbours(int me)
{
    int other = (me + 1) % N_THREADS;
    open_all(me);
    cudaError_t opened = cudaDeviceEnablePeerAccess(other, 0);
    MUST(opened == cudaSuccess || opened == cudaErrorTooManyPeers);
    fill(buffers[me], (float)me, streams[me]);
    launch(buffers[me], 100, streams[me]);
    FINE(cudaEventRecord(events[me], streams[me]));
    meet();
    float *copy = NULL;
    FINE(cudaMalloc((void **)&copy, N * sizeof(float)));
    FINE(cudaStreamWaitEvent(streams[me], events[other], 0));
    FINE(cudaMemcpyPeerAsync(copy, me, buffers[other], other, N * sizeof(float),
                             streams[me]));
    FINE(cudaStreamSynchronize(streams[me]));
    FINE(cudaEventSynchronize(events[other]));
    expect(copy, (float)(other + 100));
    meet(); // nobody's buffer goes before it was read
    FINE(cudaFree(copy));
    close_all(me);
}

/* One stream of GPU 0 for everybody. */
static void one_stream(int me)
{
    FINE(cudaSetDevice(0));
    if (me == 0) {
        open_all(0);
        FINE(cudaStreamCreateWithFlags(&shared_stream, cudaStreamNonBlocking));
        fill(buffers[0], 0, shared_stream);
    }
    meet();
    for (int i = 0; i < ROUNDS; i++) {
        launch(buffers[0], 1, shared_stream);
        cudaError_t asked = cudaStreamQuery(shared_stream);
        MUST(asked == cudaSuccess || asked == cudaErrorNotReady);
    }
    FINE(cudaStreamSynchronize(shared_stream));
    meet();
    if (me == 0) {
        expect(buffers[0], N_THREADS * ROUNDS);
        FINE(cudaStreamDestroy(shared_stream));
        close_all(0);
    }
}

/* A failure is its own thread's, though all fail at once. */
static void errors(int me)
{
    void *p;
    FINE(cudaSetDevice(me));
    for (int i = 0; i < ROUNDS; i++) {
        MUST(cudaGetLastError() == cudaSuccess);
        meet();
        if (me % 2 == 0)
            MUST(cudaSetDevice(99) == cudaErrorInvalidDevice);
        else
            MUST(cudaMalloc(&p, SIZE_MAX / 2) == cudaErrorMemoryAllocation);
        meet();
        MUST(
            cudaPeekAtLastError() ==
            (me % 2 == 0 ? cudaErrorInvalidDevice : cudaErrorMemoryAllocation));
        MUST(cudaGetLastError() != cudaSuccess);
    }
}

static void CUDART_CB count(void *of)
{
    ++*(int *)of; // the streams of one thread come one after another
}

static void products_and_host_functions(int me)
{
    cublasHandle_t handle;
    float one = 1, zero = 0, *c = NULL;
    int counted = 0;
    open_all(me);
    fill(buffers[me], 2, streams[me]);
    FINE(cudaMalloc((void **)&c, 16 * sizeof(float)));
    MUST(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
    MUST(cublasSetStream(handle, streams[me]) == CUBLAS_STATUS_SUCCESS);
    for (int i = 0; i < ROUNDS; i++) {
        MUST(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one,
                         buffers[me], 4, buffers[me] + 16, 4, &zero, c,
                         4) == CUBLAS_STATUS_SUCCESS);
        FINE(cudaLaunchHostFunc(streams[me], count, &counted));
    }
    FINE(cudaStreamSynchronize(streams[me]));
    MUST(counted == ROUNDS);
    float host[16];
    FINE(cudaMemcpy(host, c, sizeof host, cudaMemcpyDeviceToHost));
    MUST(host[0] == 16 && host[15] == 16);
    MUST(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
    FINE(cudaFree(c));
    close_all(me);
}

/* The first call of all, and a fault that every thread meets. */
static void lost(int me)
{
    FINE(cudaSetDevice(7));
    if (me == 0) {
        cudasimFailAfter(CUDASIM_FAIL_COPY, 0);
        void *p = NULL;
        FINE(cudaMalloc(&p, 8));
        MUST(cudaMemset(p, 0, 8) == cudaSuccess);
        MUST(cudaMemcpy(&(double){0}, p, 8, cudaMemcpyDeviceToHost) ==
             cudaErrorLaunchFailure);
    }
    meet();
    MUST(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
    FINE(cudaSetDevice(me % 7));
    FINE(cudaDeviceSynchronize());
}

int main(void)
{
    crowd(alone_on_a_gpu);
    crowd(neighbours);
    crowd(one_stream);
    crowd(errors);
    crowd(products_and_host_functions);
    crowd(lost);
    puts("8 threads, no quarrel");
    return 0;
}
