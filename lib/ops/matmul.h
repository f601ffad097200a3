/* Products of matrices.
 *
 * Below 2^21 multiply-adds the product is the plain loop, k ascending, float32
 * accumulation (float64 for float64), no fma: the same bits on every machine.
 * Above, CBLAS on the CPU where there is one; on a GPU always cuBLAS.
 *
 * dtype   both alike; the halves accumulate in float32
 * place   all on one device, and the result there
 * owner   out is the caller's: array_release; untouched after a failure
 * errors  ERR_DEVICE  "Expected object of device type cuda but got device type
 *                     cpu for argument #2 'mat1' in call to _th_addmm"; of two
 *                     GPUs "expected device cuda:0 but got device cuda:1"
 *         ERR_RUNTIME "mat1 and mat2 shapes cannot be multiplied (2x4 and
 *         3x1)" and PyTorch's other sentences; ERR_MEMORY, ERR_CUDA
 * source  PyTorch 1.13, torch.matmul, torch.nn.functional.linear, and 1.3
 *         for the devices; cuBLAS library, cublas<t>gemm
 */
#ifndef OPS_MATMUL_H
#define OPS_MATMUL_H

#include "array/array.h" // defines: Array

/* (k) (k) -> (); (m,k) (k) -> (m); (k) (k,n) -> (n); (m,k) (k,n) -> (m,n);
 * (…,m,k) (…,k,n) -> (…,m,n), the leading dims broadcast. */
API Status op_matmul(const Array *a, const Array *b, Array *out);

/* x W^T + bias: x (…,in), weight (out,in), bias (out) or NULL -> (…,out). */
API Status op_linear(const Array *x, const Array *weight, const Array *bias,
                     Array *out);

#endif
