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
    bool in_host_function; // CUDA calls are refused there
    Task *kernel;          // the kernel running right now
    volatile bool guarded; // a fault jumps to `landing`
    volatile uintptr_t fault_address;
    sigjmp_buf landing;
} HostThread;

/* Static TLS, for the fault handler reads it. */
extern _Thread_local HostThread host_thread
    __attribute__((tls_model("initial-exec")));

/* A thread's first call: number it and set its clock. */
void thread_greet(void);

/* A call ends: remember the first thread's clock for those that come. */
void thread_note_clock(void);

#endif
