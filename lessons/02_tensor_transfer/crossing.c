/* Lesson 02, beside the worked program: where does the GPU start to pay?
 *
 * Two n x n matrices are multiplied: on the CPU, where they are, and on the
 * GPU, with the copies there and back. The program doubles n until the GPU
 * wins, and then looks closer.
 *
 * run   build/sim/lessons/02_tensor_transfer/crossing
 *       (machines: v100x8, rtx3070-laptop)
 */
#include "device/clock.h"      // defines: clock_now_ns, clock_word
#include "device/device.h"     // defines: cuda_synchronize, device_cuda
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say
#include "tensor/create.h"     // defines: tensor_rand
#include "tensor/functional.h" // defines: tensor_matmul
#include "tensor/scope.h"      // defines: scope_open, scope_close

typedef struct Times {
    double cpu_us, gpu_us, copy_us; // gpu_us includes copy_us
} Times;

//> one
static Times multiply(int64_t n)
{
    scope_open();
    Tensor *a = tensor_rand(FLOAT32, shape(n, n), device_cpu());
    Tensor *b = tensor_rand(FLOAT32, shape(n, n), device_cpu());
    int64_t start = clock_now_ns();
    tensor_matmul(a, b);
    int64_t on_cpu = clock_now_ns();
    Tensor *a0 = tensor_to(a, device_cuda(0));
    Tensor *b0 = tensor_to(b, device_cuda(0));
    int64_t there = clock_now_ns();
    Tensor *c0 = tensor_matmul(a0, b0);
    cuda_synchronize(0);
    int64_t computed = clock_now_ns();
    Tensor *c = tensor_cpu(c0);
    int64_t back = clock_now_ns();
    (void)c;
    scope_close();
    return (Times){(double)(on_cpu - start) / 1000,
                   (double)(back - on_cpu) / 1000,
                   (double)(there - on_cpu + back - computed) / 1000};
}
//< one

int main(void)
{
    lesson_begin("02_tensor_transfer");
    need_devices(1);
    multiply(16); // the first call sets CUDA up; not counted
    //> search
    int64_t loses = 0, pays = 512;
    say("  n   cpu_us  gpu_us  copy_us");
    for (int64_t n = 16; n <= 512; n *= 2) {
        Times t = multiply(n);
        say("%3d %8.1f %7.1f %8.1f", (int)n, t.cpu_us, t.gpu_us, t.copy_us);
        if (t.gpu_us >= t.cpu_us)
            loses = n;
        else if (n < pays)
            pays = n;
    }
    while (pays - loses > 1) { // between the last loss and the first win
        int64_t middle = (loses + pays) / 2;
        Times t = multiply(middle);
        *(t.gpu_us < t.cpu_us ? &pays : &loses) = middle;
    }
    say("the GPU pays from n = %d (%s)", (int)pays, clock_word());
    //< search
    return lesson_end();
}
