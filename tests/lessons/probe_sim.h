/* A probe's words about what the simulator counts: also calls of CUDA that
 * went past the library (exercises by hand).
 *
 * Each waits for the GPUs that were used, so state times and errors before
 * these. On real hardware nobody counts: the facts are empty there, and equal.
 */
#ifndef PROBE_SIM_H
#define PROBE_SIM_H

#include "lesson/probe.h" // defines: probe_begin, fact_int, …
#include <cuda_runtime.h> // defines: cudaError

/* Start counting here. */
void probe_sim_mark(void);

/* Since the mark.
 *
 * fact_sim_copies, fact_sim_bytes   over all links together
 * fact_sim_link_bytes               over one; ordinals, -1 is the host
 * fact_sim_launches                 kernels and cuBLAS calls
 * fact_sim_held_bytes               device memory allocated now and not at
 *                                   the mark: what was not freed
 * fact_sim_held_streams             the same of streams: not destroyed
 */
void fact_sim_copies(const char *name);
void fact_sim_bytes(const char *name);
void fact_sim_link_bytes(const char *name, int from, int to);
void fact_sim_launches(const char *name);
void fact_sim_held_bytes(const char *name);
void fact_sim_held_streams(const char *name);

/* Let the next call of this name return `error`, once, having done nothing;
 * NULL: no more of that. On real hardware nothing happens.
 */
void probe_sim_fail(const char *call, enum cudaError error);

#endif
