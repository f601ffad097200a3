/* What may start: the heads of streams that wait for no other task.
 *
 * A head that still waits hangs on one of the tasks it waits for, and comes
 * back when that is done; so that a step costs the logarithm of the number of
 * streams, however many of them wait. */
#ifndef SIM_READY_H
#define SIM_READY_H

#include "stream.h"

/* A task has become the first of its stream, or somebody wants it. */
void ready_head(Task *task);

/* A task is done: those that hang on it may go on. */
void ready_done(Task *task);

/* Take the next task to run among those that may start by `until_ns`, and say
 * when it starts; NULL: there is none. The engines that it takes are to be
 * marked busy before the next is taken. */
Task *ready_take(int64_t until_ns, int64_t *start_ns);

#endif
