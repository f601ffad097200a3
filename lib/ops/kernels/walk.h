/* Walking up to four strided arrays of one shape in step.
 *
 * The host side has merged dims that lie without gaps, so a contiguous array
 * has one dim. A GPU's thread takes one number at a time; a CPU takes the rows
 * of the last dim, and steps along each with an addition.
 */
#ifndef OPS_KERNELS_WALK_H
#define OPS_KERNELS_WALK_H

#include "array/shape.h"       // defines: MAX_DIMS
#include "ops/kernels/words.h" // defines: KERNEL_FN, FOR_EACH

enum { WALK_ARRAYS = 4 };

/* strides[0] is the result's; those of a stretched dim are 0. */
typedef struct Walk {
    int64_t n; // numbers in all
    int64_t n_dims;
    int64_t dims[MAX_DIMS];
    int64_t strides[WALK_ARRAYS][MAX_DIMS];
} Walk;

/* Where a thread is: at number i of n, at[a] in array a; it goes on by steps
 * up to number `end`. */
typedef struct WalkPlace {
    int64_t i, end;
    int64_t at[WALK_ARRAYS];
    int64_t step[WALK_ARRAYS];
} WalkPlace;

/* Are the first n_arrays plain rows of numbers? A CPU does not ask: its walk
 * along a row is as good, and each kernel has one loop less to compile. */
KERNEL_FN bool walk_is_flat(const Walk *walk, int n_arrays)
{
    if (KERNEL_TARGET == 1 || walk->n_dims > 1)
        return false;
    for (int a = 0; a < n_arrays; a++)
        if (walk->n_dims == 1 && walk->strides[a][0] != 1)
            return false;
    return true;
}

/* Of out, a and b: how many numbers of b there are before it begins again. All
 * of them where the three are flat; the length of a row where b is one row for
 * every row of a, as a bias is; 0 where it is neither. */
KERNEL_FN int64_t walk_rows(const Walk *walk)
{
    if (walk_is_flat(walk, 3))
        return walk->n;
    int64_t row = walk->dims[1];
    bool rows = KERNEL_TARGET != 1 && walk->n_dims == 2 && row > 0;
    for (int a = 0; rows && a < 3; a++)
        rows = walk->strides[a][1] == 1 &&
               walk->strides[a][0] == (a == 2 ? 0 : row);
    return rows ? row : 0;
}

KERNEL_FN void walk_set(const Walk *walk, WalkPlace *place)
{
    int last = (int)walk->n_dims - 1;
    for (int a = 0; a < WALK_ARRAYS; a++) {
        place->at[a] = 0;
        place->step[a] = last < 0 ? 0 : walk->strides[a][last];
    }
    int64_t rest = place->i;
    for (int d = last; d >= 0 && rest > 0; d--) {
        int64_t index = rest % walk->dims[d];
        rest /= walk->dims[d];
        for (int a = 0; a < WALK_ARRAYS; a++)
            place->at[a] += index * walk->strides[a][d];
    }
}

/* For each number: `o x y z` are the indices into arrays 0, 1, 2, 3. */
#if KERNEL_TARGET == 3
static __device__ inline WalkPlace walk_at(const Walk *walk, int64_t i)
{
    WalkPlace place;
    place.i = i;
    if (walk->n >> 31 != 0) {
        walk_set(walk, &place);
        return place;
    }
    // The same in 32 bits: 64-bit division is slow on a GPU.
    uint32_t rest = (uint32_t)i;
    for (int a = 0; a < WALK_ARRAYS; a++)
        place.at[a] = 0;
    for (int d = (int)walk->n_dims - 1; d >= 0; d--) {
        uint32_t size = (uint32_t)walk->dims[d];
        uint32_t index = rest % size;
        rest /= size;
        for (int a = 0; a < WALK_ARRAYS; a++)
            place.at[a] += index * walk->strides[a][d];
    }
    return place;
}

#define FOR_EACH_PLACE(o, x, y, z, walk)                                       \
    FOR_EACH (i_, (walk).n)                                                    \
        for (WalkPlace place = walk_at(&(walk), i_); place.i >= 0;             \
             place.i = -1)                                                     \
            for (int64_t o = place.at[0], x = place.at[1], y = place.at[2],    \
                         z = place.at[3];                                      \
                 place.i >= 0; place.i = -1, o++, x++, y++, z++)
#else
/* To the next row, at first to row 0: is there one? Once a row, and not
 * inlined: there are hundreds of kernels to compile. */
static __attribute__((noinline, unused)) bool walk_next(const Walk *walk,
                                                        WalkPlace *place)
{
    place->i = place->end;
    place->end += walk->n_dims > 0 ? walk->dims[walk->n_dims - 1] : 1;
    if (place->i >= walk->n)
        return false;
    walk_set(walk, place);
    return true;
}

#define FOR_EACH_PLACE(o, x, y, z, walk)                                       \
    for (WalkPlace place = {0}; walk_next(&(walk), &place);)                   \
    KERNEL_INDEPENDENT for (int64_t i_ = place.i, o = place.at[0],             \
                            x = place.at[1], y = place.at[2], z = place.at[3]; \
                            i_ < place.end;                                    \
                            i_++, o += place.step[0], x += place.step[1],      \
                            y += place.step[2], z += place.step[3])
#endif

#endif
