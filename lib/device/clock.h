/* The one clock for lessons. On the simulator it is virtual: an exact integer,
 * the same on every run. On real GPUs it is the monotonic clock.
 */
#ifndef DEVICE_CLOCK_H
#define DEVICE_CLOCK_H

#include "base/attributes.h" // defines: API
#include <stdint.h>

/* Nanoseconds since the program began, as this host thread sees it. */
API int64_t clock_now_ns(void);

/* Every CPU op says what it did; on real hardware this does nothing. */
API void clock_charge_host(double flops, double bytes);

/* "simulated" or "measured": every printed time says which. Lives
 * forever. */
API const char *clock_word(void);

#endif
