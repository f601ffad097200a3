/* Failures that a test asked for, and what is still held (cudasim.h). */
#include <stdio.h>  // defines: snprintf
#include <string.h> // defines: strcmp

#include "cudasim.h" // defines: the prototypes
#include "inject.h"  // defines: event_live, blas_live
#include "memory.h"  // defines: memory_next
#include "stream.h"  // defines: all_streams

/* How many more succeed; negative: not armed. */
static int64_t fail_after[CUDASIM_N_FAIL_KINDS] = {-1, -1, -1, -1, -1};

/* The call that is to fail. */
static struct {
    char name[64]; // "*": any
    int64_t n;     // so many succeed first
    int64_t times; // then so many fail; 0: none is armed
    cudaError_t error;
} call;

void cudasimFailAfter(CudasimFailKind kind, int64_t n)
{
    pthread_mutex_lock(&sim_lock);
    if ((int)kind >= 0 && kind < CUDASIM_N_FAIL_KINDS)
        fail_after[kind] = n < 0 ? -1 : n;
    pthread_mutex_unlock(&sim_lock);
}

bool fail_now(CudasimFailKind kind)
{
    return fail_after[kind] >= 0 && fail_after[kind]-- == 0;
}

int64_t cudasimFailCall(const char *name, int64_t n, int64_t times,
                        cudaError_t error)
{
    pthread_mutex_lock(&sim_lock);
    int64_t left = call.times;
    snprintf(call.name, sizeof call.name, "%s", name ? name : "");
    call.n = n;
    call.times = name && n >= 0 && times > 0 ? times : 0;
    call.error = error;
    pthread_mutex_unlock(&sim_lock);
    return left;
}

cudaError_t call_injected(const char *name)
{
    if (call.times == 0 ||
        (strcmp(call.name, name) != 0 && strcmp(call.name, "*") != 0))
        return cudaSuccess;
    if (call.n > 0) {
        call.n--;
        return cudaSuccess;
    }
    call.times--;
    return call.error;
}

void cudasimGetHeld(CudasimHeld *out)
{
    if (out == NULL)
        return;
    pthread_mutex_lock(&sim_lock);
    *out = (CudasimHeld){.n_events = event_live(), .n_handles = blas_live()};
    for (const Allocation *a = memory_next(0); a != NULL;
         a = memory_next(a->base + a->bytes + 1))
        if (a->kind != MEMORY_DEVICE)
            out->n_host++;
        else if (!a->freeing)
            out->n_device++;
    for (const Stream *s = all_streams; s != NULL; s = s->next)
        if (!s->is_default && !s->destroyed)
            out->n_streams++;
    pthread_mutex_unlock(&sim_lock);
}
