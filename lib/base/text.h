/* Text that grows: for everything the library formats. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/attributes.h" // defines: API, PRINTF
#include <stddef.h>

/* Starts as {0}. `data` is always a C string once something was added. */
typedef struct Text {
    char *data;      // owned; NULL until the first add
    size_t length;   // bytes, without the final 0
    size_t capacity; // bytes
    int failed;      // an allocation failed: further adds do nothing
} Text;

/* Append. On no memory `failed` is set and ERR_MEMORY is recorded. */
API void text_add(Text *text, const char *string);
API void text_add_n(Text *text, const char *bytes, size_t n_bytes);
API void text_addf(Text *text, const char *format, ...) PRINTF(2, 3);

/* Take the string out (never NULL unless failed); the Text is {0} again.
 * owner   the caller; give it back with mem_free
 */
API char *text_take(Text *text);

/* Free what the Text holds; it is {0} again. */
API void text_clear(Text *text);

#endif
