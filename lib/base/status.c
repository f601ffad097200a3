/* What went wrong, in words: one sentence a thread. */
#include "base/status.h" // defines: Status, status_fail, status_take
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_SENTENCE = 4096 };

/* This thread's failure. `pending` is OK once it was read; the sentence stays
 * for whoever wants to print it after that: until the thread ends. */
static _Thread_local struct {
    Status pending;
    char *sentence; // MAX_SENTENCE bytes, from the first failure on
} failure;

/* The last thing that this thread asked for and that was not there. */
static _Thread_local struct {
    const char *function, *owner;
    char name[64];
} absent;

static pthread_key_t sentence_key;
static pthread_once_t sentence_once = PTHREAD_ONCE_INIT;

static void free_sentence(void *sentence)
{
    failure.sentence = NULL;
    free(sentence);
}

static void make_key(void)
{
    if (pthread_key_create(&sentence_key, free_sentence) != 0)
        abort(); // a process has at least 128 keys, and we need two
}

/* Room for this thread's sentence; NULL: there is none. */
static char *sentence_room(void)
{
    if (failure.sentence)
        return failure.sentence;
    pthread_once(&sentence_once, make_key);
    failure.sentence = malloc(MAX_SENTENCE);
    pthread_setspecific(sentence_key, failure.sentence);
    return failure.sentence;
}

Status status_fail(Status code, const char *format, ...)
{
    if (code == OK || failure.pending != OK)
        return code;
    failure.pending = code;
    char *sentence = sentence_room();
    if (!sentence)
        return code;
    va_list values;
    va_start(values, format);
    vsnprintf(sentence, MAX_SENTENCE, format, values);
    va_end(values);
    return code;
}

Status status_peek(void)
{
    return failure.pending;
}

Status status_take(void)
{
    Status code = failure.pending;
    failure.pending = OK;
    return code;
}

const char *status_sentence(void)
{
    if (failure.sentence)
        return failure.sentence;
    return failure.pending == OK ? "" : "not enough host memory to say why";
}

const char *status_type(Status code)
{
    switch (code) {
    case OK:
        return "";
    case ERR_RUNTIME:
    case ERR_DEVICE:
    case ERR_CUDA:
        return "RuntimeError";
    case ERR_MEMORY:
        return "OutOfMemoryError";
    case ERR_TYPE:
        return "TypeError";
    case ERR_VALUE:
        return "ValueError";
    case ERR_INDEX:
        return "IndexError";
    case ERR_KEY:
        return "KeyError";
    case ERR_ATTRIBUTE:
        return "AttributeError";
    case ERR_ASSERTION:
        return "AssertionError";
    case ERR_FILE:
        return "OSError";
    }
    return "RuntimeError";
}

void status_note_absent(const char *function, const char *owner,
                        const char *name, size_t n_bytes)
{
    absent.function = function;
    absent.owner = owner;
    snprintf(absent.name, sizeof absent.name, "%.*s", (int)n_bytes, name);
}

/* On one line: who reads a crashed program's words looks at the last. */
int status_check_not_null(const void *pointer, const char *name,
                          const char *function)
{
    if (pointer)
        return 1;
    if (failure.pending != OK)
        return 0;
    char hint[256] = "";
    if (absent.function)
        snprintf(hint, sizeof hint,
                 ". %s() had found nothing: '%s' object has no attribute '%s'",
                 absent.function, absent.owner, absent.name);
    fprintf(stderr,
            "%s(): '%s' is NULL, but nothing has failed: this is a mistake "
            "in the program that passed it%s\n",
            function, name, hint);
    abort();
}
