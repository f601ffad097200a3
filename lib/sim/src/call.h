/* The frame of every API call.
 *
 *     cudaError_t cudaFree(void *p)
 *     {
 *         Call call;
 *         cudaError_t error = call_enter(&call, "cudaFree", NEED_DEVICE,
 *                                        COST(free_ns));
 *         if (error == cudaSuccess)
 *             error = memory_free(p);
 *         return call_leave(&call, error, "%s", log_pointer(LOG_TEXT, p));
 *     }
 *
 * call_enter takes the lock, initialises the simulator, charges the host
 * thread and says what the call must return at once, if anything; call_leave
 * records the error, writes the log and the trace, and releases the lock.
 * Both always go in pairs. */
#ifndef SIM_CALL_H
#define SIM_CALL_H

#include "clock.h"
#include "error.h"
#include "log.h"
#include "state.h"

typedef enum CallNeed {
    NEED_NOTHING, // error texts and versions: works without a driver
    NEED_DRIVER,  // 35 without a driver, 100 without a visible GPU
    NEED_DEVICE,  // also a context on the current device; a sticky error of
                  // that device is returned
} CallNeed;

typedef struct Call {
    const char *name;
    int64_t begin_ns;
} Call;

/* A field of the machine's CallCosts: its offset, read after the machine is
 * known. */
#define COST(field) offsetof(CallCosts, field)

cudaError_t call_enter(Call *call, const char *name, CallNeed need,
                       size_t cost);
cudaError_t call_leave(Call *call, cudaError_t error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* For a call that returns another kind of status (cuBLAS): its number and
 * name as they are to be logged. The thread's last CUDA error is untouched. */
void call_leave_status(Call *call, int status, const char *status_name,
                       const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
