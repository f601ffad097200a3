/* SIM_LOG: every call as strace would print it.
 *
 *        12.350 us  cudaMemcpy(cuda:7+0x40, host, 24, ...) = 0 cudaSuccess
 *
 * The time is the simulated one at which the call began, of the thread that
 * made it; a thread other than the first has its number before the name. */
#include "log.h" // defines: this file's interface

#include <errno.h>  // defines: errno
#include <fcntl.h>  // defines: F_SETFD, FD_CLOEXEC
#include <stdio.h>  // defines: FILE, fprintf
#include <stdlib.h> // defines: atexit
#include <string.h> // defines: strcmp, strerror

#include "memory.h" // defines: memory_find, memory_name
#include "stream.h" // defines: stream_of

enum { LINE_BYTES = 1024 };

static FILE *out;

static void close_log(void)
{
    if (out && out != stderr)
        fclose(out);
    out = NULL;
}

bool log_open(const char *value, char *why, size_t why_bytes)
{
    if (!value || !*value || strcmp(value, "0") == 0)
        return true;
    if (strcmp(value, "1") == 0) {
        out = stderr;
        return true;
    }
    if (!strpbrk(value, "/.")) {
        snprintf(why, why_bytes,
                 "SIM_LOG=%.100s is not valid; it can be 1 (to stderr), 0, or "
                 "the path of a file to write (with a / or a . in it).",
                 value);
        return false;
    }
    out = fopen(value, "w");
    if (!out) {
        snprintf(why, why_bytes, "SIM_LOG=%.200s cannot be written: %s.", value,
                 strerror(errno));
        return false;
    }
    fcntl(fileno(out), F_SETFD, FD_CLOEXEC);
    setvbuf(out, NULL, _IOLBF, 0);
    atexit(close_log);
    return true;
}

bool log_is_on(void)
{
    return out != NULL;
}

void log_call(int thread, int64_t begin_ns, int64_t end_ns, const char *name,
              const char *result, const char *format, va_list arguments)
{
    (void)end_ns;
    if (!out)
        return;
    char text[LINE_BYTES], who[32] = "";
    if (thread > 0)
        snprintf(who, sizeof(who), "[thread %d] ", thread);
    vsnprintf(text, sizeof(text), format, arguments);
    // One write a line: other processes may write to stderr as well.
    fprintf(out, "%9lld.%03d us  %s%s(%s) = %s\n", (long long)(begin_ns / 1000),
            (int)(begin_ns % 1000), who, name, text, result);
}

void log_note(const char *format, va_list arguments)
{
    if (!out)
        return;
    fputs("cudasim: ", out);
    vfprintf(out, format, arguments);
    fputc('\n', out);
}

const char *log_pointer(char text[LOG_TEXT_BYTES], const void *pointer)
{
    int ordinal;
    uint64_t offset;
    if (!out)
        return "";
    if (!pointer)
        return "NULL";
    if (memory_name(pointer, &ordinal, &offset)) {
        snprintf(text, LOG_TEXT_BYTES, "cuda:%d+0x%llx", ordinal,
                 (unsigned long long)offset);
        return text;
    }
    const Allocation *allocation = memory_find(pointer);
    if (!allocation)
        return "host";
    snprintf(text, LOG_TEXT_BYTES, "%s+0x%llx",
             allocation->kind == MEMORY_PINNED ? "pinned" : "registered",
             (unsigned long long)((uintptr_t)pointer - allocation->base));
    return text;
}

const char *log_stream(char text[LOG_TEXT_BYTES], const void *stream)
{
    if (!out)
        return "";
    if (!stream)
        return "default";
    if (stream == (const void *)cudaStreamLegacy)
        return "legacy";
    if (stream == (const void *)cudaStreamPerThread)
        return "per-thread";
    const Stream *known = stream_of((cudaStream_t)(uintptr_t)stream);
    if (!known)
        return "no stream";
    snprintf(text, LOG_TEXT_BYTES, "cuda:%d stream %d", known->device->ordinal,
             known->id);
    return text;
}
