/* Whole programs, timed: what a cost model is to predict, never fitted to. */
#ifndef BENCH_PROGRAMS_H
#define BENCH_PROGRAMS_H

#include <stddef.h>

/* Run each and print its row. Arrays are at most that many bytes, matrices
 * that wide. Fails as timing.h says. */
void programs_run(size_t largest_bytes, int largest_side);

#endif
