/* Warnings, to stderr or to whoever asked for them. */
#include "base/warn.h"

#include <stdarg.h>
#include <stdio.h>

static void to_stderr(const char *text)
{
    fprintf(stderr, "UserWarning: %s\n", text);
}

static WarnSink current_sink = to_stderr;

WarnSink warn_to(WarnSink sink)
{
    WarnSink previous = current_sink;
    current_sink = sink ? sink : to_stderr;
    return previous;
}

void warn(const char *format, ...)
{
    char text[1024]; // the longest of PyTorch's is half of this
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    current_sink(text);
}
