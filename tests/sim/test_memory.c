/* Device memory: what cudaMalloc gives, cudaFree takes, and a pointer tells. */
#include "alone.h"
#include "cudasim.h" // defines: what the simulator adds

static void free_memory_is_counted(void)
{
    size_t before, after, total;
    void *p;
    OK(cudaMemGetInfo(&before, &total));
    EQUAL(total, 34072559616LL);
    TRUE(before < total);
    OK(cudaMalloc(&p, 100 << 20));
    OK(cudaMemGetInfo(&after, &total));
    EQUAL(before - after, 100 << 20);
    OK(cudaFree(p));
    OK(cudaMemGetInfo(&after, &total));
    EQUAL(before, after);
    EQUAL(cudaMemGetInfo(NULL, &total), cudaErrorInvalidValue);
}

static void small_allocations_share_blocks(void)
{
    size_t before, after, total;
    void *p[100];
    OK(cudaMemGetInfo(&before, &total));
    for (int i = 0; i < 100; i++)
        OK(cudaMalloc(&p[i], 100));
    OK(cudaMemGetInfo(&after, &total));
    EQUAL(before - after, 2 << 20);
    for (int i = 0; i < 100; i++)
        OK(cudaFree(p[i]));
    OK(cudaMemGetInfo(&after, &total));
    EQUAL(before, after);
}

static void memory_runs_out(void)
{
    size_t room, total;
    void *p, *q;
    OK(cudaMemGetInfo(&room, &total));
    OK(cudaMalloc(&p, room));
    EQUAL(cudaMalloc(&q, 4 << 20), cudaErrorMemoryAllocation);
    // Not sticky: the device goes on as before.
    EQUAL(cudaGetLastError(), cudaErrorMemoryAllocation);
    EQUAL(cudaGetLastError(), cudaSuccess);
    OK(cudaFree(p));
    OK(cudaMalloc(&q, 4 << 20));
    EQUAL(cudaMalloc(&p, total), cudaErrorMemoryAllocation);
}

/* Eight cards of 32 GB, each filled, on whatever runs this test. */
static void untouched_memory_costs_nothing(void)
{
    int n;
    OK(cudaGetDeviceCount(&n));
    EQUAL(n, 8);
    for (int i = 0; i < n; i++) {
        char *p;
        size_t room, total;
        OK(cudaSetDevice(i));
        OK(cudaMemGetInfo(&room, &total));
        OK(cudaMalloc((void **)&p, room));
        OK(cudaMemset(p + room - 1, 7, 1));
        char last;
        OK(cudaMemcpy(&last, p + room - 1, 1, cudaMemcpyDeviceToHost));
        EQUAL(last, 7);
    }
}

static void fresh_memory_is_junk(void)
{
    float *p;
    float host[64];
    for (int round = 0; round < 3; round++) {
        OK(cudaMalloc((void **)&p, sizeof host));
        OK(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
        for (int i = 0; i < 64; i++)
            TRUE(host[i] != host[i]); // not a number
        OK(cudaMemset(p, 0, sizeof host));
        OK(cudaFree(p));
    }
}

static void junk_is_odd_in_every_dtype(void)
{
    double *p;
    double d;
    int64_t wide;
    OK(cudaMalloc((void **)&p, 1 << 20));
    OK(cudaMemcpy(&d, p + 77, sizeof d, cudaMemcpyDeviceToHost));
    memcpy(&wide, &d, sizeof wide);
    TRUE(d != d);
    TRUE(wide < 0);
    unsigned short half = (unsigned short)wide;
    TRUE((half & 0x7C00) == 0x7C00 && (half & 0x03FF) != 0); // float16
    TRUE((half & 0x7F80) == 0x7F80 && (half & 0x007F) != 0); // bfloat16
}

/* More than the system grants mappings for. */
static void very_many_allocations(void)
{
    enum { MANY = 40000 };
    static char *p[MANY];
    for (int i = 0; i < MANY; i++)
        OK(cudaMalloc((void **)&p[i], 8));
    for (int i = 0; i < MANY; i += 97)
        OK(cudaMemset(p[i], i & 127, 8));
    char last;
    for (int i = 0; i < MANY; i += 97) {
        OK(cudaMemcpy(&last, p[i] + 7, 1, cudaMemcpyDeviceToHost));
        EQUAL(last, i & 127);
    }
    unsigned char junk;
    OK(cudaMemcpy(&junk, p[MANY - 1], 1, cudaMemcpyDeviceToHost));
    EQUAL(junk, MANY % 97 == 1 ? (MANY - 1) & 127 : 0xF9);
    for (int i = 0; i < MANY; i++)
        OK(cudaFree(p[i]));
}

static void rows_are_pitched(void)
{
    void *p;
    size_t pitch = 0;
    OK(cudaMallocPitch(&p, &pitch, 700, 10));
    EQUAL(pitch, 1024);
    OK(cudaMemset((char *)p + 9 * pitch + 699, 1, 1));
    OK(cudaFree(p));
    EQUAL(cudaMallocPitch(&p, NULL, 1, 1), cudaErrorInvalidValue);
    EQUAL(cudaMallocPitch(&p, &pitch, SIZE_MAX / 4, 100),
          cudaErrorMemoryAllocation);
}

static void a_pointer_tells_what_it_is(void)
{
    struct cudaPointerAttributes a;
    char *p;
    char host;
    OK(cudaSetDevice(3));
    OK(cudaMalloc((void **)&p, 4096));
    OK(cudaPointerGetAttributes(&a, p + 100)); // inside it too
    EQUAL(a.type, cudaMemoryTypeDevice);
    EQUAL(a.device, 3);
    TRUE(a.devicePointer == p + 100 && a.hostPointer == NULL);
    OK(cudaSetDevice(0)); // which has no access
    OK(cudaPointerGetAttributes(&a, p));
    EQUAL(a.device, 3);
    TRUE(a.devicePointer == NULL);
    OK(cudaPointerGetAttributes(&a, &host));
    EQUAL(a.type, cudaMemoryTypeUnregistered);
    TRUE(a.hostPointer == &host && a.devicePointer == NULL);
    EQUAL(cudaPointerGetAttributes(&a, NULL), cudaErrorInvalidValue);
    EQUAL(cudaPointerGetAttributes(NULL, p), cudaErrorInvalidValue);
    OK(cudaFree(p));
    OK(cudaPointerGetAttributes(&a, p));
    EQUAL(a.type, cudaMemoryTypeUnregistered);
    TRUE(a.hostPointer == NULL);
}

static void the_nth_allocation_fails(void)
{
    void *p;
    cudasimFailAfter(CUDASIM_FAIL_MALLOC, 2);
    OK(cudaMalloc(&p, 8));
    OK(cudaMalloc(&p, 8));
    EQUAL(cudaMalloc(&p, 8), cudaErrorMemoryAllocation);
    OK(cudaMalloc(&p, 8)); // once
    cudasimFailAfter(CUDASIM_FAIL_MALLOC, 0);
    cudasimFailAfter(CUDASIM_FAIL_MALLOC, -1);
    OK(cudaMalloc(&p, 8));
}

static void allocations_are_counted(void)
{
    CudasimDeviceCounters c;
    void *p, *q;
    OK(cudaMalloc(&p, 1000));
    OK(cudaMalloc(&q, 500));
    OK(cudaFree(p));
    OK(cudasimGetDeviceCounters(0, &c));
    EQUAL(c.n_allocations, 2);
    EQUAL(c.n_frees, 1);
    EQUAL(c.used_bytes, 500);
    EQUAL(c.peak_bytes, 1500);
    cudasimResetCounters();
    OK(cudasimGetDeviceCounters(0, &c));
    EQUAL(c.n_allocations, 0);
    EQUAL(c.used_bytes, 500);
    EQUAL(c.peak_bytes, 500);
    EQUAL(cudasimGetDeviceCounters(8, &c), cudaErrorInvalidDevice);
}

/* What is freed faults; an address comes back only when it must. */
static void addresses_come_back_late(void)
{
    void *p, *q;
    OK(cudaMalloc(&p, 64));
    OK(cudaFree(p));
    OK(cudaMalloc(&q, 64));
    TRUE(p != q);
    for (int i = 0; i < 1000; i++) { // more than the arenas hold at once
        OK(cudaFree(q));
        OK(cudaMalloc(&q, 8 << 20));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {

        ALONE(free_memory_is_counted),
        ALONE(small_allocations_share_blocks),
        ALONE(memory_runs_out),
        ALONE(untouched_memory_costs_nothing),
        ALONE(fresh_memory_is_junk),
        ALONE(junk_is_odd_in_every_dtype),
        ALONE(very_many_allocations),
        ALONE(rows_are_pitched),
        ALONE(a_pointer_tells_what_it_is),
        ALONE(the_nth_allocation_fails),
        ALONE(allocations_are_counted),
        ALONE(addresses_come_back_late),
    };
    return cmocka_run_group_tests_name("sim memory", tests, NULL, NULL);
}
