/* What every cuBLAS call here shares: its handle, its frame, its task.
 *
 *     cublasStatus_t cublasSscal_v2(cublasHandle_t handle, …)
 *     {
 *         BlasCall call;
 *         cublasStatus_t status = blas_enter(&call, "cublasSscal", handle);
 *         if (status == CUBLAS_STATUS_SUCCESS)
 *             status = …;
 *         return blas_leave(&call, status, "%d, …", n, …);
 *     } */
#ifndef SIM_CUBLAS_HANDLE_H
#define SIM_CUBLAS_HANDLE_H

#include "call.h"      // defines: Call
#include "cublas_v2.h" // defines: cublasHandle_t, cublasStatus_t
#include "stream.h"    // defines: Stream, Task

struct cublasContext {
    int device; // ordinal that was current at cublasCreate
    cudaStream_t stream;
    cublasPointerMode_t pointer_mode;
    cublasAtomicsMode_t atomics_mode;
    cublasMath_t math_mode;
    struct cublasContext *next; // of all live handles
};

typedef struct BlasCall {
    Call call;
    cublasHandle_t handle;
    Device *device; // the handle's
    Stream *stream; // the handle's
} BlasCall;

/* Take the lock and check the handle, the current device and the stream.
 *
 * errors  NOT_INITIALIZED   no such handle, no driver, no GPU
 *         EXECUTION_FAILED  the current device is not the handle's (said on
 *                           stderr), its stream is gone or another device's,
 *                           the device has a sticky error, or a failure was
 *                           asked for (cudasimFailAfter) */
cublasStatus_t blas_enter(BlasCall *call, const char *name,
                          cublasHandle_t handle);

/* The same for calls that only set or read the handle: any device may be
 * current. */
cublasStatus_t blas_enter_handle(BlasCall *call, const char *name,
                                 cublasHandle_t handle);

cublasStatus_t blas_leave(BlasCall *call, cublasStatus_t status,
                          const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A number given as alpha or beta: its value now (HOST), or its address. */
typedef struct Scalar {
    double value;
    const void *address; // in device memory; NULL: `value` holds it
} Scalar;

/* Take alpha or beta as the handle's pointer mode says. `number` is a Number
 * (gemm.h).
 *
 * errors  INVALID_VALUE: NULL, or device memory in HOST mode (said on stderr)
 */
cublasStatus_t blas_scalar(const BlasCall *call, int number, const void *p,
                           Scalar *out);

/* Its value when the task runs; false: an illegal address. */
bool blas_scalar_read(const Task *task, int number, const Scalar *scalar,
                      double *out);

/* Push a task that computes. Its payload and run are set; flops and bytes are
 * its cost. `wait`: come back when it is done.
 *
 * owner   the task is given away; with `wait` the caller still holds it */
cublasStatus_t blas_push(const BlasCall *call, Task *task, Rate rate,
                         double flops, double bytes, bool wait);

/* One line on stderr about a mistake that the status cannot name. */
void blas_diagnose(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

#endif
