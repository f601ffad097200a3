/* The failures that cudasimFailCall asks for. */
#ifndef SIM_INJECT_H
#define SIM_INJECT_H

#include "state.h"

/* What the call of that name that begins now must return at once; cudaSuccess:
 * nothing was asked for it. */
cudaError_t call_injected(const char *name);

/* How many there are that nobody has destroyed: event_api.c,
 * cublas_handle.c. */
int64_t event_live(void);
int64_t blas_live(void);

#endif
