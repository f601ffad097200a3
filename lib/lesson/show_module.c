/* Words for lessons about modules. */
#include "lesson/show_module.h"

#include "base/alloc.h"    // defines: mem_free
#include "lesson/lesson.h" // defines: say, show_failure

static void show_text(char *text)
{
    if (text)
        say("%s", text);
    else
        show_failure();
    mem_free(text);
}

void show_module(const Module *module)
{
    show_text(module ? module_repr(module) : NULL);
}

void show_buffers(const Module *module)
{
    show_text(module ? module_buffers_repr(module) : NULL);
}
