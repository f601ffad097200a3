/* What replicate does, seen by cudart. */
#include "lesson/probe.h" // defines: probe_*, fact_*
#include "probe_sim.h"    // defines: probe_sim_mark, fact_sim_copies
#include <cuda_runtime.h>
#include <stdio.h>

cudaError_t my_replicate(float *weights, size_t n, const int *ids, int n_ids,
                         float **copies);

enum { MOST = 64, REPLICAS = 3 };

static bool strayed;

/* One call, with a mark before the first copy and behind the last. */
static cudaError_t ask(float *weights, size_t n, const int *ids,
                       float *copies[REPLICAS])
{
    static float mark;
    float *room[1 + REPLICAS + 1] = {&mark, NULL, NULL, NULL, &mark};
    cudaError_t error = my_replicate(weights, n, ids, REPLICAS, room + 1);
    for (int i = 0; i < REPLICAS; i++)
        copies[i] = room[1 + i];
    strayed |= room[0] != &mark || room[1 + REPLICAS] != &mark;
    return error;
}

static bool on_a_gpu(const void *pointer)
{
    struct cudaPointerAttributes a = {0};
    return cudaPointerGetAttributes(&a, pointer) == cudaSuccess &&
           a.type == cudaMemoryTypeDevice;
}

static void ask_in_vain(float *weights, size_t n, const int *ids, int first,
                        const char *name)
{
    float *copies[REPLICAS];
    char what[96];
    int current = -1;
    cudaSetDevice(first);
    probe_sim_mark();
    cudaError_t error = ask(weights, n, ids, copies);
    snprintf(what, sizeof what, "what you returned for %s", name);
    fact_text(what, cudaGetErrorName(error));
    cudaGetDevice(&current);
    snprintf(what, sizeof what, "the main GPU is current, after %s", name);
    fact_bool(what, current == first);
    snprintf(what, sizeof what, "the weights are still there, after %s", name);
    fact_bool(what, on_a_gpu(weights));
    snprintf(what, sizeof what, "bytes still allocated for it, after %s", name);
    fact_sim_held_bytes(what);
}

int main(int argc, char **argv)
{
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
    cudaError_t error = ask(weights, n, ids, copies);
    fact_text("what you returned", cudaGetErrorName(error));
    int current = -1;
    cudaGetDevice(&current);
    fact_bool("the main GPU is current after your call", current == ids[0]);
    fact_sim_copies("copies made");
    for (int i = 1; i < REPLICAS; i++)
        fact_sim_link_bytes(i == 1 ? "bytes to the second GPU"
                                   : "bytes to the third GPU",
                            ids[0], ids[i]);
    fact_sim_held_bytes("bytes allocated for the copies");
    fact_bool("copies[0] is the original", copies[0] == weights);
    for (int i = 0; i < REPLICAS; i++) {
        struct cudaPointerAttributes a = {0};
        char name[32];
        cudaPointerGetAttributes(&a, copies[i]);
        snprintf(name, sizeof name, "the GPU of copies[%d]", i);
        fact_int(name, a.type == cudaMemoryTypeDevice ? a.device : -1);
        double sum = 0;
        if (a.type == cudaMemoryTypeDevice &&
            cudaMemcpy(back, copies[i], n * sizeof *back,
                       cudaMemcpyDeviceToHost) == cudaSuccess)
            for (size_t j = 0; j < n; j++)
                sum += back[j];
        snprintf(name, sizeof name, "the sum of copies[%d]", i);
        fact_real(name, sum);
    }
    ask_in_vain(weights, n, (int[]){first, (first + 1) % 4, 99}, first,
                "a GPU that is not there");
    ask_in_vain(weights, (size_t)1 << 40, ids, first,
                "more than there is room for");
    fact_bool("something was written outside copies[0] to copies[2]", strayed);
    return probe_end();
}
