/* A tensor: an array that remembers how it was made. */
#ifndef TENSOR_TENSOR_H
#define TENSOR_TENSOR_H

/* A tensor from host data.
 * place   a copy of the data on `device`
 * errors  ERR_CUDA, ERR_MEMORY */
API Tensor *tensor_new(DType dtype, Shape shape, const void *data,
                       Device device);
/* Copy to a device. Already there: the result is x itself. */
NODISCARD API Tensor *tensor_to(Tensor *x, Device device);
API Tensor *tensor_pow(Tensor *x, int64_t exponent); // int64 stays int64
API int64_t tensor_numel(const Tensor *x);

#endif
