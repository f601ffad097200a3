/* What replicate does, seen by cudart. */
#include "lesson/probe.h" // defines: probe_*, fact_*
#include "probe_sim.h"    // defines: probe_sim_mark, fact_sim_copies
#include <cuda_runtime.h>
#include <stdio.h>

cudaError_t my_replicate(float *weights, size_t n, const int *ids, int n_ids,
                         float **copies);

int main(int argc, char **argv)
{
    enum { MOST = 64, REPLICAS = 3 };
    probe_begin(argc, argv);
    probe_need_devices(4);
    int first = (int)probe_int(0, 3);
    const int ids[REPLICAS] = {first, (first + 1) % 4, (first + 2) % 4};
    size_t n = (size_t)probe_int(5, MOST);
    float numbers[MOST], back[MOST], *weights = NULL;
    float *copies[REPLICAS] = {NULL};
    for (size_t i = 0; i < n; i++)
        numbers[i] = (float)probe_real(-1, 1);
    cudaSetDevice(ids[0]);
    cudaMalloc((void **)&weights, n * sizeof *weights);
    cudaMemcpy(weights, numbers, n * sizeof *weights, cudaMemcpyHostToDevice);
    probe_sim_mark();
    cudaError_t error = my_replicate(weights, n, ids, REPLICAS, copies);
    fact_text("returned", cudaGetErrorName(error));
    int current = -1;
    cudaGetDevice(&current);
    fact_bool("the main GPU is current", current == ids[0]);
    fact_sim_copies("copies made");
    for (int i = 1; i < REPLICAS; i++)
        fact_sim_link_bytes(i == 1 ? "bytes to the second GPU"
                                   : "bytes to the third GPU",
                            ids[0], ids[i]);
    fact_sim_held_bytes("bytes allocated");
    fact_bool("copies[0] is the original", copies[0] == weights);
    for (int i = 0; i < REPLICAS; i++) {
        struct cudaPointerAttributes a = {0};
        char name[32];
        cudaPointerGetAttributes(&a, copies[i]);
        snprintf(name, sizeof name, "copy %d lives on GPU", i);
        fact_int(name, a.type == cudaMemoryTypeDevice ? a.device - first : -1);
        double sum = 0;
        if (a.type == cudaMemoryTypeDevice &&
            cudaMemcpy(back, copies[i], n * sizeof *back,
                       cudaMemcpyDeviceToHost) == cudaSuccess)
            for (size_t j = 0; j < n; j++)
                sum += back[j];
        snprintf(name, sizeof name, "sum of copy %d", i);
        fact_real(name, sum);
    }
    // A GPU that is not there, and more than there is room for.
    const int absent[REPLICAS] = {first, 99, (first + 1) % 4};
    probe_sim_mark();
    error = my_replicate(weights, n, absent, REPLICAS, copies);
    fact_text("for a GPU that is not there", cudaGetErrorName(error));
    fact_sim_held_bytes("bytes allocated for it");
    cudaSetDevice(first);
    error = my_replicate(weights, (size_t)1 << 40, ids, REPLICAS, copies);
    fact_text("for more than there is room for", cudaGetErrorName(error));
    cudaGetDevice(&current);
    fact_bool("the main GPU is current after an error", current == first);
    return probe_end();
}
