/* Peer access and copies between devices. */
#include "alone.h"

static void granting(void)
{
    int can;
    OK(cudaDeviceCanAccessPeer(&can, 0, 1));
    EQUAL(can, 1);
    OK(cudaDeviceCanAccessPeer(&can, 0, 0));
    EQUAL(can, 0);
    EQUAL(cudaDeviceCanAccessPeer(&can, 0, 8), cudaErrorInvalidDevice);
    EQUAL(cudaDeviceCanAccessPeer(NULL, 0, 1), cudaErrorInvalidValue);
    EQUAL(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
    EQUAL(cudaDeviceEnablePeerAccess(1, 1), cudaErrorInvalidValue);
    EQUAL(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice); // itself
    EQUAL(cudaDeviceEnablePeerAccess(8, 0), cudaErrorInvalidDevice);
    OK(cudaDeviceEnablePeerAccess(1, 0));
    EQUAL(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessAlreadyEnabled);
    OK(cudaDeviceDisablePeerAccess(1));
    EQUAL(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
    EQUAL(cudaDeviceDisablePeerAccess(8), cudaErrorInvalidDevice);
    OK(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 0, 1));
    EQUAL(can, 1);
    EQUAL(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 0, 0),
          cudaErrorInvalidDevice);
}

static void machines_without(void)
{
    int can;
    OK(cudaDeviceCanAccessPeer(&can, 0, 1));
    EQUAL(can, 0);
    EQUAL(cudaDeviceEnablePeerAccess(1, 0), cudaErrorInvalidDevice);
    // A copy needs no access: it goes through the host.
    float *p = device_floats(4, 6);
    OK(cudaSetDevice(1));
    float *q = device_floats(4, 0);
    OK(cudaMemcpyPeer(q, 1, p, 0, 16));
    TRUE(float_at(q) == 6);
}

static void a_pointer_shows_the_grant(void)
{
    struct cudaPointerAttributes a;
    float *p = device_floats(4, 1);
    OK(cudaSetDevice(1));
    OK(cudaPointerGetAttributes(&a, p));
    TRUE(a.devicePointer == NULL);
    OK(cudaDeviceEnablePeerAccess(0, 0));
    OK(cudaPointerGetAttributes(&a, p));
    TRUE(a.devicePointer == p);
}

static void copying(void)
{
    float *p = device_floats(100, 5);
    OK(cudaSetDevice(1));
    float *q = device_floats(100, 0);
    OK(cudaMemcpyPeer(q, 1, p, 0, 400));
    TRUE(float_at(q + 99) == 5);
    OK(cudaMemcpyPeerAsync(q, 1, p, 0, 0, 0));
    EQUAL(cudaMemcpyPeer(q, 1, p, 0, 401), cudaErrorInvalidValue);
    EQUAL(cudaMemcpyPeer(q, 8, p, 0, 4), cudaErrorInvalidDevice);
    EQUAL(cudaMemcpyPeer(q, 1, p, -1, 4), cudaErrorInvalidDevice);
    EQUAL(cudaMemcpyPeer(NULL, 1, p, 0, 4), cudaErrorInvalidValue);
    EQUAL(cudaMemcpyPeer(q, 0, p, 1, 4), cudaErrorInvalidValue); // swapped
    float host[4] = {0};
    EQUAL(cudaMemcpyPeer(q, 1, host, 0, 4), cudaErrorInvalidValue);
}

/* In the default stream such a copy waits for all work on both devices, and
 * all later work waits for it: also in adversarial order. */
static void in_the_default_stream_it_is_serialised(void)
{
    float *p = device_floats(8, 1);
    OK(scale(p, p, 8, 3, 0));
    OK(cudaSetDevice(1));
    float *q = device_floats(8, 0);
    OK(cudaMemcpyPeer(q, 1, p, 0, 32));
    OK(scale(q, q, 8, 2, 0));
    OK(cudaSetDevice(0));
    OK(scale(p, p, 8, 100, 0)); // must not overtake the copy
    OK(cudaDeviceSynchronize());
    OK(cudaSetDevice(1));
    OK(cudaDeviceSynchronize());
    TRUE(float_at(q) == 6);
    // And likewise by cudaMemcpy, which finds the devices itself.
    OK(cudaSetDevice(0));
    OK(scale(p, p, 8, 0.5f, 0));
    OK(cudaSetDevice(1));
    OK(cudaMemcpy(q, p, 32, cudaMemcpyDeviceToDevice));
    TRUE(float_at(q) == 150);
}

static void eight_peers_at_most(void)
{
    for (int i = 1; i < 9; i++)
        OK(cudaDeviceEnablePeerAccess(i, 0));
    EQUAL(cudaDeviceEnablePeerAccess(9, 0), cudaErrorTooManyPeers);
    OK(cudaDeviceDisablePeerAccess(3));
    OK(cudaDeviceEnablePeerAccess(9, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(granting),
        ALONE(machines_without, "SIM_MACHINE=mixed"),
        ALONE(a_pointer_shows_the_grant),
        ALONE(copying),
        ALONE(in_the_default_stream_it_is_serialised),
        ALONE(in_the_default_stream_it_is_serialised, "SIM_ORDER=adversarial"),
        ALONE(eight_peers_at_most, "SIM_MACHINE=" CROWD_MACHINE),
    };
    return cmocka_run_group_tests_name("sim peers", tests, NULL, NULL);
}
