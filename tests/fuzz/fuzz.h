/* What the harnesses share: a check that is there in every build. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(condition)                                                        \
    do {                                                                       \
        if (!(condition)) {                                                    \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__,         \
                    #condition);                                               \
            abort();                                                           \
        }                                                                      \
    } while (0)

/* The input as a text, up to its first 0; to be freed. */
static inline char *text_of(const uint8_t *data, size_t n_bytes)
{
    char *text = malloc(n_bytes + 1);
    MUST(text);
    if (n_bytes > 0)
        memcpy(text, data, n_bytes);
    text[n_bytes] = '\0';
    return text;
}

/* libFuzzer's entry. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

#endif
