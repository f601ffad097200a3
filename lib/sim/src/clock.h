/* Virtual time: integer nanoseconds, a clock for each host thread.
 *
 * A thread's clock moves only when it makes a call, is charged for work of
 * its own, or waits (then it takes the maximum of both sides). A thread's
 * first call finds the clock of the thread that initialised the simulator;
 * cudasimAdvanceTo carries a clock from one thread to another. */
#ifndef SIM_CLOCK_H
#define SIM_CLOCK_H

#include <stdint.h>

int64_t clock_now(void);
void clock_charge(int64_t ns);
void clock_advance_to(int64_t ns);

/* n bytes at a rate, in whole nanoseconds, rounded up; 0 when n is 0. */
int64_t clock_ns_of(double n, double per_second);

/* What the host takes for one operation of that size. */
int64_t clock_host_ns(double flops, double bytes);

#endif
