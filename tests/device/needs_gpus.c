/* Before a test on real hardware: are there as many GPUs as it uses?
 *
 *   needs_gpus N PROGRAM [ARGUMENT ...]
 *
 * With fewer than N it says so and ends with 77, which ctest counts as
 * skipped; else it becomes the program. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: %s N PROGRAM [ARGUMENT ...]\n", argv[0]);
        return 2;
    }
    int wanted = atoi(argv[1]);
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess)
        count = 0;
    if (count < wanted) {
        printf("needs %d GPU%s, and there %s %d%s%s\n", wanted,
               wanted == 1 ? "" : "s", count == 1 ? "is" : "are", count,
               error == cudaSuccess ? "" : ": ",
               error == cudaSuccess ? "" : cudaGetErrorString(error));
        return 77;
    }
    execv(argv[2], argv + 2);
    perror(argv[2]);
    return 2;
}
