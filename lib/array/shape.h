/* How many numbers there are along each dimension. A value, no memory. */
#ifndef ARRAY_SHAPE_H
#define ARRAY_SHAPE_H

#include "base/attributes.h" // defines: API
#include "base/status.h"     // defines: Status
#include <stdbool.h>
#include <stdint.h>

enum { MAX_DIMS = 8 };

typedef struct Shape {
    int n_dims; // 0: a single number
    int64_t dims[MAX_DIMS];
} Shape;

/* shape(2, 3): two rows of three. */
#define shape(...)                                                             \
    shape_of((int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)),        \
             (const int64_t[]){__VA_ARGS__})
API Shape shape_of(int n_dims, const int64_t *dims);
/* No dimensions: one number. */
API Shape shape_scalar(void);

API int64_t shape_count(Shape shape); // product of the dims; 1 for no dims
API bool shape_equal(Shape a, Shape b);

/* dim counted from the front, among n_dims; no dims have dim 0 (and -1).
 * errors  ERR_INDEX "Dimension out of range (expected to be in range of [-2,
 *         1], but got 5)"; *out is then untouched */
API Status shape_dim(int dim, int n_dims, int *out);

typedef struct ShapeText {
    char text[192];
} ShapeText;
/* "torch.Size([2, 3])" */
API ShapeText shape_str(Shape shape);
/* "[2, 3]" */
API ShapeText shape_list(Shape shape);

#endif
