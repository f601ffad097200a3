/* What every lesson's main() shares. */
#include "lesson/lesson.h" // defines: lesson_begin, show, say, …
#include "base/alloc.h"    // defines: mem_free
#include "tensor/format.h" // defines: tensor_repr
#include "tensor/scope.h"  // defines: scope_open, scope_close
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char *current_lesson = "this program";

void lesson_begin(const char *name)
{
    current_lesson = name;
    // Line by line, so that stdout and stderr keep their order in a file.
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (scope_open() != OK) {
        show_failure();
        exit(1);
    }
}

int lesson_end(void)
{
    scope_close();
    Status status = status_take();
    if (status != OK) {
        fflush(stdout);
        fprintf(stderr,
                "%s: a failure was never read (show it, or call status_take): "
                "%s: %s\n",
                current_lesson, status_type(status), status_sentence());
        return 1;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "%s: what it printed could not be written\n",
                current_lesson);
        return 1;
    }
    return 0;
}

void show(const Tensor *x)
{
    char *text = tensor_repr(x);
    if (text == NULL) {
        show_failure();
        return;
    }
    puts(text);
    mem_free(text);
}

void show_device(Device device)
{
    puts(device_repr(device).text);
}

void show_size(Shape shape)
{
    puts(shape_str(shape).text);
}

void say(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    putchar('\n');
}

bool show_failure(void)
{
    Status status = status_take();
    if (status == OK)
        puts("no error");
    else
        printf("%s: %s\n", status_type(status), status_sentence());
    return status != OK;
}

const char *py_bool(bool value)
{
    return value ? "True" : "False";
}

void need_devices(int n)
{
    int n_visible = cuda_device_count();
    if (n_visible >= n)
        return;
    fflush(stdout);
    fprintf(stderr,
            "%s needs %d visible GPU%s and sees %d: skipped. (On the "
            "simulator, SIM_MACHINE=v100x8 has eight.)\n",
            current_lesson, n, n == 1 ? "" : "s", n_visible);
    exit(77);
}
