/* A short walk over the interface, for the tests of the log and the trace:
 * memory, copies, two streams with an event between them, a kernel, a product,
 * and errors. */
#include <cublas_v2.h>    // defines: cublasSgemm
#include <cuda_runtime.h> // defines: cudaMalloc, cudaLaunchKernel
#include <cudasim.h>      // defines: cudasimRegisterKernel
#include <pthread.h>
#include <stdlib.h>

typedef struct Fill {
    float *out;
    float value;
    int n;
} Fill;

static void fill(void *args)
{
    const Fill *k = args;
    for (int i = 0; i < k->n; i++)
        k->out[i] = k->value;
}

static void *from_another_thread(void *p)
{
    cudaFree(p);
    return NULL;
}

static void run_kernel(float *x, cudaStream_t stream)
{
    static const CudasimKernel info = {.name = "fill \"it\"",
                                       .run = fill,
                                       .args_bytes = sizeof(Fill),
                                       .n_pointers = 1};
    Fill args = {x, 2, 16};
    void *list[] = {&args};
    cudasimRegisterKernel((const void *)(size_t)fill, &info);
    cudaLaunchKernel((const void *)(size_t)fill, (dim3){1, 1, 1},
                     (dim3){16, 1, 1}, list, 0, stream);
}

int main(void)
{
    float *x, *pinned, host[16] = {0}, one = 1, zero = 0;
    cudaStream_t left, right;
    cudaEvent_t event;
    cublasHandle_t handle;
    pthread_t thread;
    void *never = NULL;
    cudaMalloc((void **)&x, 64);
    cudaMallocHost((void **)&pinned, 64);
    cudaStreamCreate(&left);
    cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    run_kernel(x, left);
    cudaEventRecord(event, left);
    cudaStreamWaitEvent(right, event, 0);
    cudaMemcpyAsync(pinned, x, 64, cudaMemcpyDeviceToHost, right);
    cudaStreamSynchronize(right);
    run_kernel(x, left); // the copy waits for it: streams block
    cudaMemcpy(x + 8, host, 32, cudaMemcpyHostToDevice);
    cublasCreate(&handle);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, x, 2, x, 2,
                &zero, x + 8, 2);
    cudaSetDevice(99);
    cudaMalloc(&never, (size_t)1 << 60);
    cublasDestroy(handle);
    cudaEventDestroy(event);
    cudaStreamDestroy(left);
    cudaStreamDestroy(right);
    cudaFreeHost(pinned);
    pthread_create(&thread, NULL, from_another_thread, x);
    pthread_join(thread, NULL);
    return never == NULL ? EXIT_SUCCESS : EXIT_FAILURE;
}
