/* A number of the program's own, as Python has them: it has a category (bool,
 * integer or real) but no size and no place.
 *
 * Beside an array it only matters if its category is the higher one: an int64
 * array plus 2 stays int64, plus 2.0 becomes float32.
 */
#ifndef ARRAY_SCALAR_H
#define ARRAY_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

typedef enum ScalarKind { SCALAR_BOOL, SCALAR_INT, SCALAR_REAL } ScalarKind;

/* integer: for bool and int. real: for real. The other one is 0. */
typedef struct Scalar {
    ScalarKind kind;
    int64_t integer;
    double real;
} Scalar;

static inline Scalar scalar_bool(bool value)
{
    Scalar scalar = {SCALAR_BOOL, value, 0};
    return scalar;
}

static inline Scalar scalar_int(int64_t value)
{
    Scalar scalar = {SCALAR_INT, value, 0};
    return scalar;
}

static inline Scalar scalar_real(double value)
{
    Scalar scalar = {SCALAR_REAL, 0, value};
    return scalar;
}

/* Its value as a double, whatever its kind. */
static inline double scalar_as_real(Scalar scalar)
{
    return scalar.kind == SCALAR_REAL ? scalar.real : (double)scalar.integer;
}

#endif
