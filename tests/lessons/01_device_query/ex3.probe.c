/* seeds 0.17: without a driver and without a GPU the count is 0. */
#include "lesson/probe.h" // defines: probe_*, fact_*
#include <cuda_runtime.h>

int my_device_count(void); // the student's

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    fact_int("the count", my_device_count());
    fact_text("the error left behind", cudaGetErrorName(cudaPeekAtLastError()));
    fact_int("the count, asked again", my_device_count());
    return probe_end();
}
