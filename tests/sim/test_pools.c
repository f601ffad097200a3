/* Stream-ordered memory and the default pool. */
#include "alone.h"
#include "cudasim.h" // defines: what the simulator adds

static uint64_t attribute(cudaMemPool_t pool, enum cudaMemPoolAttr attr)
{
    uint64_t value = 0;
    OK(cudaMemPoolGetAttribute(pool, attr, &value));
    return value;
}

static void taking_and_giving(void)
{
    char *p;
    char host[100];
    OK(cudaMallocAsync((void **)&p, 100, 0));
    OK(cudaMemsetAsync(p, 3, 100, 0));
    OK(cudaMemcpyAsync(host, p, 100, cudaMemcpyDeviceToHost, 0));
    EQUAL(host[99], 3);
    OK(cudaFreeAsync(p, 0));
    EQUAL(cudaFreeAsync(p, 0), cudaErrorInvalidValue); // twice
    EQUAL(cudaFree(p), cudaErrorInvalidValue);
    OK(cudaDeviceSynchronize());
    EQUAL(cudaFreeAsync(p, 0), cudaErrorInvalidValue);
    OK(cudaMallocAsync((void **)&p, 100, 0));
    EQUAL(cudaFreeAsync(p + 1, 0), cudaErrorInvalidValue);
    OK(cudaFree(p)); // that is allowed
    OK(cudaMallocAsync((void **)&p, 0, 0));
    TRUE(p == NULL);
    EQUAL(cudaMallocAsync(NULL, 8, 0), cudaErrorInvalidValue);
    OK(cudaMalloc((void **)&p, 100));
    EQUAL(cudaFreeAsync(p, 0), cudaErrorInvalidValue); // not the pool's
}

static void use_after_free_in_the_same_stream(void)
{
    float *p;
    float *out = device_floats(8, 0);
    OK(cudaMallocAsync((void **)&p, 32, 0));
    OK(cudaFreeAsync(p, 0));
    OK(scale(out, p, 8, 1, 0)); // follows a pointer that is freed by then
    EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}

static void free_waits_its_turn(void)
{
    float *p;
    OK(cudaMallocAsync((void **)&p, 32, 0));
    OK(cudaMemsetAsync(p, 0, 32, 0));
    OK(scale(p, p, 8, 2, 0));
    OK(cudaFreeAsync(p, 0)); // after the kernel, in the stream
    OK(cudaDeviceSynchronize());
}

static void what_the_pool_holds(void)
{
    cudaMemPool_t pool;
    void *p;
    size_t before, held, after, total;
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    EQUAL(attribute(pool, cudaMemPoolAttrReleaseThreshold), 0);
    OK(cudaMemGetInfo(&before, &total));
    OK(cudaMallocAsync(&p, 10 << 20, 0));
    EQUAL(attribute(pool, cudaMemPoolAttrUsedMemCurrent), 10 << 20);
    EQUAL(attribute(pool, cudaMemPoolAttrReservedMemCurrent), 32 << 20);
    OK(cudaMemGetInfo(&held, &total));
    EQUAL(before - held, 32 << 20);
    OK(cudaFreeAsync(p, 0));
    EQUAL(attribute(pool, cudaMemPoolAttrUsedMemCurrent), 0);
    EQUAL(attribute(pool, cudaMemPoolAttrReservedMemCurrent), 32 << 20);
    OK(cudaDeviceSynchronize()); // here the pool gives back
    EQUAL(attribute(pool, cudaMemPoolAttrReservedMemCurrent), 0);
    OK(cudaMemGetInfo(&after, &total));
    EQUAL(before, after);
    EQUAL(attribute(pool, cudaMemPoolAttrUsedMemHigh), 10 << 20);
    EQUAL(attribute(pool, cudaMemPoolAttrReservedMemHigh), 32 << 20);
}

static void the_threshold_keeps_memory(void)
{
    cudaMemPool_t pool;
    void *p;
    uint64_t keep = UINT64_MAX;
    uint64_t zero = 0;
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
    OK(cudaMallocAsync(&p, 10 << 20, 0));
    OK(cudaFreeAsync(p, 0));
    OK(cudaDeviceSynchronize());
    EQUAL(attribute(pool, cudaMemPoolAttrReservedMemCurrent), 32 << 20);
    OK(cudaMemPoolTrimTo(pool, 16 << 20));
    EQUAL(attribute(pool, cudaMemPoolAttrReservedMemCurrent), 16 << 20);
    OK(cudaMemPoolTrimTo(pool, 0));
    EQUAL(attribute(pool, cudaMemPoolAttrReservedMemCurrent), 0);
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
    EQUAL(attribute(pool, cudaMemPoolAttrUsedMemHigh), 0);
    EQUAL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &keep),
          cudaErrorInvalidValue);
    EQUAL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero),
          cudaErrorInvalidValue);
}

static void what_is_refused(void)
{
    cudaMemPool_t pool;
    uint64_t value = 0;
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    EQUAL(cudaDeviceGetDefaultMemPool(&pool, 8), cudaErrorInvalidDevice);
    EQUAL(cudaDeviceGetDefaultMemPool(NULL, 0), cudaErrorInvalidValue);
    EQUAL(cudaMemPoolGetAttribute(pool, (enum cudaMemPoolAttr)99, &value),
          cudaErrorInvalidValue);
    EQUAL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, NULL),
          cudaErrorInvalidValue);
    EQUAL(cudaMemPoolTrimTo(NULL, 0), cudaErrorInvalidValue);
    void *p;
    size_t room, total;
    OK(cudaMemGetInfo(&room, &total));
    EQUAL(cudaMallocAsync(&p, room + (4 << 20), 0), cudaErrorMemoryAllocation);
    EQUAL(cudaMallocAsync(&p, SIZE_MAX - 100, 0), cudaErrorMemoryAllocation);
    cudaStream_t bad = (cudaStream_t)(void *)&p;
    EQUAL(cudaMallocAsync(&p, 8, bad), cudaErrorInvalidResourceHandle);
}

static void steady_use_does_not_grow(void)
{
    void *p;
    size_t room, total;
    OK(cudaMemGetInfo(&room, &total));
    for (int i = 0; i < 20; i++) { // more than the device has, in all
        OK(cudaMallocAsync(&p, room / 4, 0));
        OK(cudaFreeAsync(p, 0));
    }
    OK(cudaDeviceSynchronize());
}

/* Peer access does not open a pool; its own list does. */
static void who_may_reach_a_pool(void)
{
    cudaMemPool_t pool;
    enum cudaMemAccessFlags flags;
    float *p;
    struct cudaMemLocation one = {cudaMemLocationTypeDevice, 1};
    struct cudaMemAccessDesc grant = {one, cudaMemAccessFlagsProtReadWrite};
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaMemPoolGetAccess(&flags, pool, &one));
    EQUAL(flags, cudaMemAccessFlagsProtNone);
    OK(cudaMallocAsync((void **)&p, 32, 0));
    OK(cudaMemset(p, 0, 32));
    OK(cudaDeviceSynchronize());
    OK(cudaMemPoolSetAccess(pool, &grant, 1));
    OK(cudaMemPoolGetAccess(&flags, pool, &one));
    EQUAL(flags, cudaMemAccessFlagsProtReadWrite);
    OK(cudaSetDevice(1));
    OK(scale(p, p, 8, 2, 0));
    OK(cudaDeviceSynchronize());
    grant.flags = cudaMemAccessFlagsProtNone;
    OK(cudaMemPoolSetAccess(pool, &grant, 1));
    OK(cudaDeviceEnablePeerAccess(0, 0));
    OK(scale(p, p, 8, 2, 0));
    EQUAL(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    grant.location.id = 0; // its own access cannot be taken away
    EQUAL(cudaMemPoolSetAccess(pool, &grant, 1), cudaErrorInvalidDevice);
    grant.location.id = 99;
    EQUAL(cudaMemPoolSetAccess(pool, &grant, 1), cudaErrorInvalidDevice);
    EQUAL(cudaMemPoolSetAccess(pool, NULL, 1), cudaErrorInvalidValue);
}

/* A copy goes straight across as soon as one end may reach the other, and
 * peer access says nothing about a pool. */
static void copies_ask_the_pool(void)
{
    cudaMemPool_t pool;
    float *p, *q;
    struct cudaMemLocation one = {cudaMemLocationTypeDevice, 1};
    struct cudaMemAccessDesc grant = {one, cudaMemAccessFlagsProtReadWrite};
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaMallocAsync((void **)&p, 8000, 0));
    OK(cudaSetDevice(1));
    OK(cudaMallocAsync((void **)&q, 8000, 0));
    OK(cudaDeviceEnablePeerAccess(0, 0));
    OK(cudaDeviceSynchronize());
    uint64_t start = cudasimNow();
    OK(cudaMemcpyPeer(q, 1, p, 0, 8000));
    OK(cudaDeviceSynchronize());
    EQUAL(cudasimNow() - start, 2000 + 10000 + 2000); // through the host
    OK(cudaMemPoolSetAccess(pool, &grant, 1));
    start = cudasimNow();
    OK(cudaMemcpyPeer(q, 1, p, 0, 8000));
    OK(cudaDeviceSynchronize());
    EQUAL(cudasimNow() - start, 2000 + 3000); // 2 us, hidden by the wait's 3
}

/* Then the plain calls are what is left. */
static void a_gpu_without_pools(void)
{
    cudaMemPool_t pool;
    struct cudaDeviceProp card;
    int value = 42;
    void *p;
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMemoryPoolsSupported, 0));
    EQUAL(value, 0);
    OK(cudaGetDeviceProperties(&card, 0));
    EQUAL(card.memoryPoolsSupported, 0);
    EQUAL(cudaDeviceGetDefaultMemPool(&pool, 0), cudaErrorNotSupported);
    EQUAL(cudaMallocAsync(&p, 8, 0), cudaErrorNotSupported);
    EQUAL(cudaGetLastError(), cudaErrorNotSupported); // and is not sticky
    OK(cudaMalloc(&p, 8));
    EQUAL(cudaFreeAsync(p, 0), cudaErrorInvalidValue); // no pool's memory
    OK(cudaFree(p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(taking_and_giving),
        ALONE(use_after_free_in_the_same_stream),
        ALONE(free_waits_its_turn, "SIM_ORDER=adversarial"),
        ALONE(what_the_pool_holds),
        ALONE(the_threshold_keeps_memory),
        ALONE(what_is_refused),
        ALONE(steady_use_does_not_grow),
        ALONE(who_may_reach_a_pool),
        ALONE(a_gpu_without_pools, "SIM_MACHINE=" POOLLESS_MACHINE),
        ALONE(copies_ask_the_pool, "SIM_MACHINE=" ROUND_MACHINE),
    };
    return cmocka_run_group_tests_name("sim pools", tests, NULL, NULL);
}
