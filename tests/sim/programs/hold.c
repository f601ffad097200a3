/* Takes a context and memory, then ends as its argument says: "die" by a
 * signal that nobody can catch, otherwise in peace. */
#include <cuda_runtime.h> // defines: cudaMalloc
#include <signal.h>
#include <string.h>

int main(int argc, char **argv)
{
    void *p;
    if (cudaMalloc(&p, 1 << 20) != cudaSuccess)
        return 1;
    if (argc > 1 && strcmp(argv[1], "die") == 0)
        raise(SIGKILL);
    return cudaFree(p) != cudaSuccess;
}
