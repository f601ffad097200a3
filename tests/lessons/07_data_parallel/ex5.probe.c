/* Reduce-add: float32 numbers of different sizes, so that the order shows. */
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include "tensor/tensor.h" // defines: tensor_new, tensor_to

Tensor *my_reduce_add(Tensor *const *grads, int n, Device main_gpu);

int main(int argc, char **argv)
{
    enum { N = 4, SIZE = 3 };
    probe_begin(argc, argv);
    probe_need_devices(4);
    Tensor *grads[N];
    int first = (int)probe_int(0, 3);
    float numbers[N][SIZE];
    for (int j = 0; j < SIZE; j++) { // 1e8 comes and goes: its ulp is 8
        float large = 1e8F * (float)probe_real(1, 1.3);
        numbers[0][j] = (float)probe_real(20, 90);
        numbers[1][j] = large;
        numbers[2][j] = (float)probe_real(20, 90);
        numbers[3][j] = -large;
    }
    for (int i = 0; i < N; i++)
        grads[i] = tensor_to(
            tensor_new(FLOAT32, shape(SIZE), numbers[i], device_cpu()),
            device_cuda((first + i) % N));
    Tensor *sum = my_reduce_add(grads, N, device_cuda(first));
    fact_status("the failure pending after your call");
    fact_tensor("sum", sum);
    fact_tensor("the first gradient afterwards", grads[0]);
    fact_tensor("the last gradient afterwards", grads[N - 1]);
    return probe_end();
}
