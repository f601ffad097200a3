/* Which task runs next, and when it began and ended. */
#ifndef SIM_SCHEDULE_H
#define SIM_SCHEDULE_H

#include "stream.h"

/* SIM_ORDER. Chronological: whichever task can start first. Adversarial: of
 * those that may run, the youngest, and none before somebody needs it. */
typedef enum Order { ORDER_CHRONOLOGICAL, ORDER_ADVERSARIAL } Order;
extern Order schedule_order;

/* Run tasks until `target` is done. */
void schedule_until(Task *target);

/* Run tasks until the device has none left. */
void schedule_idle(Device *device);

/* Run what may start by `now_ns`; adversarial: only what somebody wants. */
void schedule_due(int64_t now_ns);

/* Somebody needs this task to be done; nothing runs yet. */
void schedule_want(Task *target);

#endif
