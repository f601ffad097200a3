/* What each host thread has of its own. */
#ifndef SIM_THREAD_H
#define SIM_THREAD_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "state.h"

typedef struct HostThread {
    int number; // from 1 in order of first call; 0: no call made yet
    int64_t now_ns;
    int device; // ordinal
    cudaError_t last_error;
    bool in_host_function;                // CUDA calls are refused there
    Stream *per_thread[MACHINE_MAX_GPUS]; // cudaStreamPerThread, when used
    Task *kernel;                         // the kernel running right now
    const char *kernel_name;
    volatile bool guarded; // a fault jumps to `landing`
    sigjmp_buf landing;
} HostThread;

/* Static TLS, for the fault handler reads it. */
extern _Thread_local HostThread host_thread
    __attribute__((tls_model("initial-exec")));

#endif
