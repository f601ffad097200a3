/* Times of work on GPU 0, in nanoseconds; on the simulator they are exact.
 *
 * A program that measures calls timing_open once; what fails after that says
 * so and ends the program.
 */
#ifndef BENCH_TIMING_H
#define BENCH_TIMING_H

#include <cublas_v2.h>    // defines: cublasHandle_t
#include <cuda_runtime.h> // defines: cudaError_t
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Something to time, once. */
typedef struct Work {
    void (*run)(const struct Work *work);
    void *to;
    const void *from;
    size_t bytes;
    int side, type; // of a matrix product
} Work;

/* Make the stream, the events and the work that holds the GPU. */
void timing_open(void);
void timing_close(void);
bool timing_is_simulated(void);
cublasHandle_t timing_blas(void);

/* What the GPU takes for it, many times in a row behind work that holds the
 * GPU back, so that the host is never waited for. Median of some rounds. */
double device_ns(const Work *work);

/* What the host takes for the call, the GPU being busy with something else. */
double submit_ns(const Work *work);

/* What the host takes for the call with an idle GPU, waits included. */
double host_ns(const Work *work);

/* One line of the table. */
void print_row(const char *what, int64_t size, double bytes, double flops,
               double ns);

/* End the program with a sentence unless the call went well. */
#define MUST(call) must((call) == 0, #call, __FILE__, __LINE__)
void must(bool is_well, const char *call, const char *file, int line);

#endif
