/* Does the least convenient order show a missing wait? One stream fills a
 * block, another copies it out; with the argument "wait" an event stands
 * between them. Prints what arrived. */
#include <cuda_runtime.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argv;
    unsigned char *block = NULL, *host = NULL;
    cudaStream_t fills, copies;
    cudaEvent_t filled;
    cudaMalloc((void **)&block, 1);
    cudaMallocHost((void **)&host, 1);
    cudaStreamCreateWithFlags(&fills, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
    cudaEventCreate(&filled);
    cudaMemset(block, 1, 1);
    cudaDeviceSynchronize();
    cudaMemsetAsync(block, 7, 1, fills);
    cudaEventRecord(filled, fills);
    if (argc > 1)
        cudaStreamWaitEvent(copies, filled, 0);
    cudaMemcpyAsync(host, block, 1, cudaMemcpyDeviceToHost, copies);
    cudaError_t status = cudaDeviceSynchronize();
    printf("%d\n", *host);
    cudaFreeHost(host);
    cudaFree(block);
    return status == cudaSuccess ? 0 : 1;
}
