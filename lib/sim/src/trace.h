/* SIM_TRACE: a timeline that Perfetto and chrome://tracing open.
 *
 * Written by trace.c; called with the lock held. Ended at exit. */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream.h"

/* Take the value of SIM_TRACE: a file to write (NULL: unset). */
bool trace_open(const char *value, char *why, size_t why_bytes);
bool trace_is_on(void);

/* A host call, on the lane of its thread. */
void trace_call(int thread, const char *name, int64_t begin_ns, int64_t end_ns);

/* A task that has run: see Task for device, stream, engine, name, times and
 * bytes. task->flow_from[i] is the id of a task it waited for across streams
 * (a flow arrow from that one's end to this one's start). */
void trace_task(const Task *task);

#endif
