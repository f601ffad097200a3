/* Text that grows by doubling. */
#include "base/text.h"  // defines: Text, text_add, text_take
#include "base/alloc.h" // defines: mem_resize, mem_free
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Room for n_bytes more and the final 0. On failure the text stays as it is. */
static int reserve(Text *text, size_t n_bytes)
{
    if (text->failed)
        return 0;
    size_t need = text->length + n_bytes + 1;
    if (need <= text->capacity)
        return 1;
    size_t capacity = text->capacity ? text->capacity : 64;
    while (capacity < need)
        capacity *= 2;
    char *data = mem_resize(text->data, capacity);
    if (!data) {
        text->failed = 1;
        return 0;
    }
    text->data = data;
    text->capacity = capacity;
    text->data[text->length] = '\0';
    return 1;
}

void text_add(Text *text, const char *string)
{
    text_add_n(text, string, strlen(string));
}

void text_add_n(Text *text, const char *bytes, size_t n_bytes)
{
    if (!reserve(text, n_bytes))
        return;
    if (n_bytes > 0)
        memcpy(text->data + text->length, bytes, n_bytes);
    text->length += n_bytes;
    text->data[text->length] = '\0';
}

void text_addf(Text *text, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int n = vsnprintf(NULL, 0, format, values);
    va_end(values);
    if (n < 0 || !reserve(text, (size_t)n))
        return;
    va_start(values, format);
    vsnprintf(text->data + text->length, (size_t)n + 1, format, values);
    va_end(values);
    text->length += (size_t)n;
}

char *text_take(Text *text)
{
    char *data = NULL;
    if (reserve(text, 0))
        data = text->data;
    else
        mem_free(text->data);
    *text = (Text){0};
    return data;
}

void text_clear(Text *text)
{
    mem_free(text->data);
    *text = (Text){0};
}
