/* One number in print: the form that a whole tensor's numbers share.
 *
 * Internal to this room: format.c (PyTorch's form) and format_numpy.c (NumPy's)
 * are the users.
 */
#ifndef TENSOR_NUMBER_FORMAT_H
#define TENSOR_NUMBER_FORMAT_H

#include "array/dtype.h" // defines: DType
#include "array/shape.h" // defines: Shape
#include <stdbool.h>
#include <stdint.h>

enum {
    EDGE_ITEMS = 3,      // shown at each end of a summarised dimension
    SUMMARY_ABOVE = 1000 // elements
};

/* Numbers in host memory, C order. */
typedef struct Numbers {
    DType dtype;
    Shape shape;
    const void *data; // halves as their 16 bits
} Numbers;

/* Element i as a double, exact but for large INT64. */
double number_real(DType dtype, const void *data, int64_t i);
/* Element i of an integer dtype. */
int64_t number_integer(DType dtype, const void *data, int64_t i);

/* The elements that a print shows: all of them, or the edges when there are
 * more than SUMMARY_ABOVE. Calls visit(context, index) for each, in order. */
void numbers_each_shown(const Numbers *numbers,
                        void (*visit)(void *context, int64_t i), void *context);

/* How every element of one tensor is printed by PyTorch.
 * source  PyTorch 1.13, torch.set_printoptions: precision 4 */
typedef struct NumberFormat {
    bool is_floating;
    bool whole;      // every number is whole: "1." and not "1.0000"
    bool scientific; // "1.0000e+00"
    int width;       // characters; shorter ones are padded on the left
} NumberFormat;

NumberFormat number_format_choose(const Numbers *numbers);

/* An element as text, padded. `out` has room for NUMBER_TEXT_BYTES. */
enum { NUMBER_TEXT_BYTES = 400 };
void number_format_write(const NumberFormat *format, const Numbers *numbers,
                         int64_t i, char *out);

#endif
