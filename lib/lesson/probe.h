/* A probe's words about devices, tensors, failures and the ledger.
 *
 * Includes lesson/probe_plain.h: probe_begin … probe_end and plain facts.
 * What a fact has to do to find its value (copies, time) is counted in none
 * of the facts.
 */
#ifndef LESSON_PROBE_H
#define LESSON_PROBE_H

#include "device/device.h"      // defines: Device
#include "lesson/probe_plain.h" // defines: probe_begin, fact_int, …
#include "tensor/tensor.h"      // defines: Tensor

/* Skip (exit code 77, in words) where fewer GPUs are visible. */
void probe_need_devices(int n);

/* A device: "cuda:7", "cpu". */
void fact_device(const char *name, Device device);

/* A tensor: dtype, shape, device and values.
 *
 * shape   any, of at most 4096 elements
 * place   anywhere; its values are read through a copy that is not counted
 * errors  NULL is the fact that there is no tensor
 */
void fact_tensor(const char *name, const Tensor *x);

/* The thread's failure, taken: its code and its sentence, or none. */
void fact_status(const char *name);

/* Start counting here (probe_begin does so too). */
void probe_mark(void);

/* Since the mark, as the library's ledger counts; exact on real GPUs too.
 *
 * fact_copies        copies between places, or within a GPU
 * fact_copied_bytes  their bytes
 * fact_launches      kernels and cuBLAS calls
 * fact_waits         how often the host waited
 * fact_elapsed_ns    simulated nanoseconds; not compared on real hardware
 */
void fact_copies(const char *name);
void fact_copied_bytes(const char *name);
void fact_launches(const char *name);
void fact_waits(const char *name);
void fact_elapsed_ns(const char *name);

#endif
