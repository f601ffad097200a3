/* free() and realloc() as a probe's program and the student's file in it call
 * them: the linker gives them these (--wrap, where it knows that). What a scope
 * holds would be freed twice, and show itself far away or never; so it stops
 * the program here, with a sentence. Everything else goes on as it would.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#if defined(__linux__)

bool scope_holds(const void *object); // tensor/scope.h, but plain probes have
#pragma weak scope_holds              // no library

// The names are the linker's.
void __real_free(void *block);
void *__real_realloc(void *block, size_t n_bytes);
void __wrap_free(void *block);
void *__wrap_realloc(void *block, size_t n_bytes);

static void check(const char *function, const void *block)
{
    if (!block || !scope_holds || !scope_holds(block))
        return;
    fprintf(stderr,
            "%s(): this belongs to the library: the scope in which it was made "
            "holds it, and will release it\n",
            function);
    abort();
}

void __wrap_free(void *block)
{
    check("free", block);
    __real_free(block);
}

void *__wrap_realloc(void *block, size_t n_bytes)
{
    check("realloc", block);
    return __real_realloc(block, n_bytes);
}

#endif
