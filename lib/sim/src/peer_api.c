/* Peer access: one device follows another's pointers. A grant goes one way. */
#include "call.h"             // defines: call_enter, call_leave
#include "cuda_runtime_api.h" // defines: the prototypes

enum { MAX_PEERS = 8 }; // without NVSwitch (CUDA Programming Guide)

static bool can_reach(const Device *device, const Device *peer)
{
    return device != peer &&
           sim.machine.can_peer[device->physical][peer->physical];
}

cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int device,
                                    int peerDevice)
{
    Call call;
    cudaError_t error = call_enter(&call, "cudaDeviceCanAccessPeer",
                                   NEED_DRIVER, COST(call_ns));
    const Device *a = device_at(device);
    const Device *b = device_at(peerDevice);
    if (error == cudaSuccess && canAccessPeer == NULL)
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess && (a == NULL || b == NULL))
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess)
        *canAccessPeer = can_reach(a, b);
    return call_leave(&call, error, "%d, %d, %d",
                      error == cudaSuccess ? *canAccessPeer : 0, device,
                      peerDevice);
}

static int count_bits(uint64_t bits)
{
    int n = 0;
    for (; bits != 0; bits &= bits - 1)
        n++;
    return n;
}

static cudaError_t enable(Device *device, Device *peer, unsigned flags)
{
    if (peer == NULL || !can_reach(device, peer))
        return cudaErrorInvalidDevice;
    if (flags != cudaPeerAccessDefault)
        return cudaErrorInvalidValue;
    uint64_t bit = (uint64_t)1 << peer->ordinal;
    if ((device->peers & bit) != 0)
        return cudaErrorPeerAccessAlreadyEnabled;
    if (count_bits(device->peers) >= MAX_PEERS)
        return cudaErrorTooManyPeers;
    device_activate(peer);
    device->peers |= bit;
    return peer->sticky;
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags)
{
    Call call;
    cudaError_t error = call_enter(&call, "cudaDeviceEnablePeerAccess",
                                   NEED_DEVICE, COST(call_ns));
    if (error == cudaSuccess)
        error = enable(device_current(), device_at(peerDevice), flags);
    return call_leave(&call, error, "%d, %u", peerDevice, flags);
}

static cudaError_t disable(Device *device, const Device *peer)
{
    if (peer == NULL)
        return cudaErrorInvalidDevice;
    uint64_t bit = (uint64_t)1 << peer->ordinal;
    if ((device->peers & bit) == 0)
        return cudaErrorPeerAccessNotEnabled;
    device->peers &= ~bit;
    return cudaSuccess;
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice)
{
    Call call;
    cudaError_t error = call_enter(&call, "cudaDeviceDisablePeerAccess",
                                   NEED_DEVICE, COST(call_ns));
    if (error == cudaSuccess)
        error = disable(device_current(), device_at(peerDevice));
    return call_leave(&call, error, "%d", peerDevice);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr,
                                      int srcDevice, int dstDevice)
{
    Call call;
    cudaError_t error = call_enter(&call, "cudaDeviceGetP2PAttribute",
                                   NEED_DRIVER, COST(call_ns));
    const Device *a = device_at(srcDevice);
    const Device *b = device_at(dstDevice);
    if (error == cudaSuccess && (a == NULL || b == NULL || a == b))
        error = cudaErrorInvalidDevice;
    if (error == cudaSuccess &&
        (value == NULL || (int)attr < (int)cudaDevP2PAttrPerformanceRank ||
         (int)attr > (int)cudaDevP2PAttrOnlyPartialNativeAtomicSupported))
        error = cudaErrorInvalidValue;
    if (error == cudaSuccess) // every link here ranks the same: 0
        *value = attr == cudaDevP2PAttrAccessSupported && can_reach(a, b);
    return call_leave(&call, error, "%d, %d, %d", (int)attr, srcDevice,
                      dstDevice);
}
