/* Errors: per thread the last one, per device the one that sticks. */
#ifndef SIM_ERROR_H
#define SIM_ERROR_H

#include "state.h"

/* Record what a call returns as the thread's last error. Success and
 * cudaErrorNotReady leave it as it is. Returns its argument. */
cudaError_t error_record(cudaError_t error);

/* A task on this device failed in a way that corrupts its context: from now
 * on every call that needs the device returns `error` (700, 710, 719). The
 * first fault stays. What is still queued on the device is dropped. */
void device_fault(Device *device, cudaError_t error);

/* Print one line about a fault, prefixed "cudasim: ", to stderr when
 * SIM_LOG is on. What the kernel did wrong; errors themselves stay CUDA's. */
void fault_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
