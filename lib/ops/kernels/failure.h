/* A KERNEL_ASSERT that failed on the host's CPU: where, and at which index. */
#ifndef OPS_KERNELS_FAILURE_H
#define OPS_KERNELS_FAILURE_H

#include <stdbool.h>
#include <stdint.h>

/* The texts live forever. */
typedef struct KernelFailure {
    int64_t index;
    const char *condition;
    const char *file;
    int line;
    const char *kernel;
} KernelFailure;

/* Remember it for this thread. */
void kernel_note_failure(int64_t index, const char *condition, const char *file,
                         int line, const char *kernel);
/* Was there one since the last call? It is then forgotten. */
bool kernel_take_failure(KernelFailure *out);

#endif
