/* The compiler attributes that we use: the only extension to C11.
 *
 * API         visible outside libworkbook (everything else is hidden)
 * NODISCARD   a result that is dropped is a compiler warning: `tensor_to`
 *             returns the moved tensor and moves nothing in place
 * PRINTF(f,a) the compiler checks the arguments against the format
 */
#ifndef BASE_ATTRIBUTES_H
#define BASE_ATTRIBUTES_H

#define API __attribute__((visibility("default")))
#define NODISCARD __attribute__((warn_unused_result))
#define PRINTF(text, first) __attribute__((format(printf, text, first)))

#endif
