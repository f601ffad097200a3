/* A wrong answer, kept to be recognised: all GPUs. */
#include <stdint.h>

int busy_gpus(int64_t size, int n)
{
    return size > 0 ? n : 0;
}
