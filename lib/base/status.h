/* What went wrong, in words: one sentence a thread.
 *
 * An action returns a Status; an expression returns NULL. The *first* failure's
 * sentence is kept until it is read; later failures on the way up never
 * overwrite it. The library itself never prints and never exits.
 */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include "base/attributes.h" // defines: API, PRINTF
#include <stddef.h>

/* The kind of failure; status_type() says which exception PyTorch raises. */
typedef enum Status {
    OK = 0,
    ERR_RUNTIME,   // RuntimeError: shapes, dtypes, rules of use
    ERR_DEVICE,    // RuntimeError: tensors on different devices, no such device
    ERR_CUDA,      // RuntimeError: the CUDA runtime or cuBLAS refused
    ERR_MEMORY,    // OutOfMemoryError: no room, on the host or on a GPU
    ERR_TYPE,      // TypeError
    ERR_VALUE,     // ValueError
    ERR_INDEX,     // IndexError
    ERR_KEY,       // KeyError
    ERR_ATTRIBUTE, // AttributeError
    ERR_ASSERTION, // AssertionError
    ERR_FILE,      // OSError: a file is absent, damaged or not understood
} Status;

/* Record a failure and return its code.
 *
 * The sentence is kept only if none is pending on this thread.
 * owner   the thread; nothing to free
 */
API Status status_fail(Status code, const char *format, ...) PRINTF(2, 3);

/* The pending failure's code, or OK. Clears nothing. */
API Status status_peek(void);

/* Read and clear: the pending failure's code, or OK when there was none.
 * Its sentence stays readable until this thread's next failure.
 */
API Status status_take(void);

/* The last failure's sentence, without its type; "" when there never was one.
 * owner   the thread; valid until this thread's next failure
 */
API const char *status_sentence(void);

/* The name of the exception that PyTorch raises for such a failure:
 * "RuntimeError", "TypeError", ... Lives forever.
 */
API const char *status_type(Status code);

/* Pass a failure up untouched. The only macro that hides control flow. */
#define TRY(expression)                                                        \
    do {                                                                       \
        Status try_status_ = (expression);                                     \
        if (try_status_ != OK)                                                 \
            return try_status_;                                                \
    } while (0)

/* NULL came in: pass it on if a failure is pending, else it is a bug in the
 * calling program, which stops with a sentence that names the function and its
 * argument. (Where in the program, scripts/learn check says.)
 *
 * CHECK_NOT_NULL     in the function that was called
 * CHECK_NOT_NULL_OF  in a helper of it: `function` is its caller's __func__
 */
#define CHECK_NOT_NULL(pointer) CHECK_NOT_NULL_OF(__func__, pointer)
#define CHECK_NOT_NULL_OF(function, pointer)                                   \
    status_check_not_null((pointer), #pointer, (function))
API int status_check_not_null(const void *pointer, const char *name,
                              const char *function);

/* Note that something was asked for by a name that is absent: no failure, but
 * the sentence above tells the last one. `name` has n_bytes letters; `owner`
 * must live forever.
 */
API void status_note_absent(const char *function, const char *owner,
                            const char *name, size_t n_bytes);

#endif
