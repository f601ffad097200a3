/* SIM_LOG: every call as strace would print it.
 *
 * Written by log.c; called from call.c with the lock held. */
#ifndef SIM_LOG_H
#define SIM_LOG_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Take the value of SIM_LOG (NULL: unset). False: bad value, `why` says what
 * is valid. */
bool log_open(const char *value, char *why, size_t why_bytes);
bool log_is_on(void);

/* One call: its arguments by format, its result as text ("0", "2
 * cudaErrorMemoryAllocation"), when it began and ended by its thread's
 * clock. `thread` counts host threads from 0 in order of first call. */
void log_call(int thread, int64_t begin_ns, int64_t end_ns, const char *name,
              const char *result, const char *format, va_list arguments);

/* A line of the simulator itself, "cudasim: ...", when the log is on. */
void log_note(const char *format, va_list arguments);

/* A pointer as the log shows it: "cuda:7+0x40" for device memory, "host" with
 * what it is otherwise; "" when the log is off, so that naming costs nothing.
 * LOG_TEXT is room for it that lives as long as the enclosing block. */
enum { LOG_TEXT_BYTES = 64 };
#define LOG_TEXT ((char[LOG_TEXT_BYTES]){0})
const char *log_pointer(char text[LOG_TEXT_BYTES], const void *pointer);
const char *log_stream(char text[LOG_TEXT_BYTES], const void *stream);

#endif
