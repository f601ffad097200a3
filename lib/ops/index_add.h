/* Adding slices where an index says: the backward of op_index_select. */
#ifndef OPS_INDEX_ADD_H
#define OPS_INDEX_ADD_H

#include "array/array.h" // defines: Array

/* to[index[j]] += from[j] along dim, for each j in order.
 *
 * shape   to any, in C order; index (n); from as to, but n along dim
 * dtype   to and from floating and alike; index INT64 or INT32, in range (the
 *         forward has checked that)
 * place   all on one device
 * errors  ERR_INDEX the dim; ERR_RUNTIME "index_add_(): self and source must
 *         have the same scalar type"; ERR_DEVICE; ERR_MEMORY, ERR_CUDA
 * source  PyTorch 1.13, Tensor.index_add_
 */
API Status op_index_add_into(Array *to, int dim, const Array *index,
                             const Array *from);

#endif
