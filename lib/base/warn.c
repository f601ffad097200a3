/* Warnings, to stderr or to whoever asked for them. */
#include "base/warn.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

static void to_stderr(const char *text)
{
    fprintf(stderr, "UserWarning: %s\n", text);
}

/* Any thread may set it while others warn. */
static _Atomic WarnSink current_sink = to_stderr;

WarnSink warn_to(WarnSink sink)
{
    return atomic_exchange(&current_sink, sink ? sink : to_stderr);
}

void warn(const char *format, ...)
{
    char text[1024]; // the longest of PyTorch's is half of this
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    WarnSink sink = atomic_load(&current_sink);
    sink(text);
}
