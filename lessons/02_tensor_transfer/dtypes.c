/* Lesson 02, beside the worked program: another dtype, and what half loses.
 *
 * run   build/sim/lessons/02_tensor_transfer/dtypes
 */
#include "device/device.h"     // defines: device_cpu, try_gpu
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say, show
#include "tensor/create.h"     // defines: tensor_ones
#include "tensor/functional.h" // defines: tensor_mul_int
#include "tensor/tensor.h"     // defines: tensor_cast, tensor_half

int main(void)
{
    lesson_begin("02_tensor_transfer");
    //> cast
    Tensor *x = tensor_ones(FLOAT32, shape(3, 3), device_cpu());
    say("%s", dtype_name(tensor_dtype(x)));
    x = tensor_cast(x, FLOAT64); // x.to(torch.float64)
    say("%s", dtype_name(tensor_dtype(x)));
    // expect: torch.float32
    // expect: torch.float64
    //< cast

    //> bytes
    Tensor *full = tensor_ones(FLOAT32, shape(1024, 1024), try_gpu(0));
    Tensor *half = tensor_half(full);
    say("%zu bytes as float32", tensor_nbytes(full));
    say("%zu bytes as float16", tensor_nbytes(half));
    // expect: 4194304 bytes as float32
    // expect: 2097152 bytes as float16
    //< bytes

    //> overflow
    float numbers[] = {65504.0F, 70000.0F, 65519.0F, 65520.0F};
    Tensor *large = tensor_new(FLOAT32, shape(4), numbers, device_cpu());
    Tensor *small = tensor_half(large); // 65504 is the largest half
    show(small);
    show(tensor_mul_int(small, 2));
    // expect: tensor([65504.,    inf, 65504.,    inf], dtype=torch.float16)
    // expect: tensor([inf, inf, inf, inf], dtype=torch.float16)
    //< overflow

    //> precision
    float steps[] = {2048.0F, 2049.0F, 2050.0F, 2051.0F};
    show(tensor_half(tensor_new(FLOAT32, shape(4), steps, device_cpu())));
    // expect: tensor([2048., 2048., 2050., 2052.], dtype=torch.float16)
    //< precision
    return lesson_end();
}
