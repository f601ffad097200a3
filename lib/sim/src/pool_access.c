/* Who besides its owner may reach a pool's memory. */
#include "call.h"             // defines: call_enter, call_leave
#include "cuda_runtime_api.h" // defines: the prototypes
#include "pool.h"             // defines: pool_device

static cudaError_t check(const Device *owner,
                         const struct cudaMemAccessDesc *wish)
{
    if (wish->location.type != cudaMemLocationTypeDevice)
        return cudaErrorInvalidValue;
    const Device *reader = device_at(wish->location.id);
    if (reader == NULL)
        return cudaErrorInvalidDevice;
    if (wish->flags != cudaMemAccessFlagsProtNone &&
        wish->flags != cudaMemAccessFlagsProtRead &&
        wish->flags != cudaMemAccessFlagsProtReadWrite)
        return cudaErrorInvalidValue;
    if (reader == owner) // its own access cannot be taken away
        return wish->flags == cudaMemAccessFlagsProtReadWrite
                   ? cudaSuccess
                   : cudaErrorInvalidDevice;
    if (!sim.machine.can_peer[reader->physical][owner->physical])
        return cudaErrorInvalidDevice;
    return cudaSuccess;
}

static cudaError_t
set_access(Device *owner, const struct cudaMemAccessDesc *wishes, size_t count)
{
    if (owner == NULL || (wishes == NULL && count > 0))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++) {
        cudaError_t error = check(owner, &wishes[i]);
        if (error != cudaSuccess)
            return error; // all or nothing
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t bit = (uint64_t)1 << wishes[i].location.id;
        if (wishes[i].flags == cudaMemAccessFlagsProtNone)
            owner->pool.readers &= ~bit;
        else
            owner->pool.readers |= bit;
    }
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t memPool,
                                 const struct cudaMemAccessDesc *descList,
                                 size_t count)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaMemPoolSetAccess", NEED_DRIVER, COST(call_ns));
    if (error == cudaSuccess)
        error = set_access(pool_device(memPool), descList, count);
    return call_leave(&call, error, "%zu", count);
}

static cudaError_t get_access(enum cudaMemAccessFlags *flags,
                              const Device *owner,
                              const struct cudaMemLocation *location)
{
    if (flags == NULL || owner == NULL || location == NULL ||
        location->type != cudaMemLocationTypeDevice)
        return cudaErrorInvalidValue;
    const Device *reader = device_at(location->id);
    if (reader == NULL)
        return cudaErrorInvalidDevice;
    bool may =
        reader == owner || (owner->pool.readers >> reader->ordinal & 1) != 0;
    *flags = may ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
}

cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags,
                                 cudaMemPool_t memPool,
                                 struct cudaMemLocation *location)
{
    Call call;
    cudaError_t error =
        call_enter(&call, "cudaMemPoolGetAccess", NEED_DRIVER, COST(call_ns));
    if (error == cudaSuccess)
        error = get_access(flags, pool_device(memPool), location);
    return call_leave(&call, error, "%s", "");
}
