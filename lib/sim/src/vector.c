/* Vectors, and matrices times vectors, on plain memory. */
#include "vector.h" // defines: VectorWork

#include <math.h>
#include <stddef.h>

#define ABS(x) ((x) < 0 ? -(x) : (x))

#define T float
#define NAME(f) f##_float
#include "vector_loop.h" // defines: run_float
#undef T
#undef NAME

#define T double
#define NAME(f) f##_double
#include "vector_loop.h" // defines: run_double

void vector_run(VectorWork *work)
{
    if (work->is_double)
        run_double(work);
    else
        run_float(work);
}
