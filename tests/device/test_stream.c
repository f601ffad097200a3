/* Streams: each thread's choice, and waiting by events. Also run with
 * SIM_ORDER=adversarial, where a missing wait shows every time. */
#include "base/status.h"    // defines: status_take
#include "device/device.h"  // defines: device_cuda, cuda_current_device
#include "device/storage.h" // defines: storage_new, storage_copy
#include "device/stream.h"  // defines: stream_new, stream_use, stream_wait
#include <cuda_runtime.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_stream_is_used_until_another(void **state)
{
    (void)state;
    Stream side;
    assert_int_equal(stream_new(6, &side), OK);
    assert_non_null(side.handle);
    unsigned flags = 0; // it does not wait for the default stream
    cudaStreamGetFlags((cudaStream_t)side.handle, &flags);
    assert_int_equal(flags, cudaStreamNonBlocking);
    assert_int_equal(cuda_current_device(), 0);
    Stream before = stream_use(side);
    assert_null(before.handle);
    assert_int_equal(before.device, 6);
    assert_ptr_equal(stream_current(6).handle, side.handle);
    assert_null(stream_current(5).handle);
    stream_use(before);
    assert_null(stream_current(6).handle);
    stream_use(side);
    assert_int_equal(stream_destroy(side), OK);
    assert_null(stream_current(6).handle);
    assert_int_equal(stream_destroy(before), OK);
    assert_int_equal(stream_new(8, &side), ERR_CUDA);
    status_take();
}

static void *current_of_gpu_1(void *out)
{
    *(void **)out = stream_current(1).handle;
    return NULL;
}

static void the_choice_is_a_threads_own(void **state)
{
    (void)state;
    Stream side;
    pthread_t thread;
    void *elsewhere = state;
    assert_int_equal(stream_new(1, &side), OK);
    stream_use(side);
    pthread_create(&thread, NULL, current_of_gpu_1, &elsewhere);
    pthread_join(thread, NULL);
    assert_null(elsewhere);
    stream_destroy(side);
}

/* On a side stream of GPU 0 fill a big buffer; the default stream of GPU 1
 * waits for it, then takes a copy. Without the wait it would take junk. */
static void waiting_orders_gpus(void **state)
{
    (void)state;
    enum { N_BYTES = 1 << 20 };
    Stream side;
    assert_int_equal(stream_new(0, &side), OK);
    Storage *there = storage_new(device_cuda(0), N_BYTES);
    Storage *here = storage_new(device_cuda(1), N_BYTES);
    // The memory itself was made on the default stream.
    assert_int_equal(stream_wait(side, stream_current(0)), OK);
    assert_int_equal(cudaMemsetAsync(storage_data(there), 7, N_BYTES,
                                     (cudaStream_t)side.handle),
                     cudaSuccess);
    assert_int_equal(stream_wait(stream_current(1), side), OK);
    cudaSetDevice(1);
    assert_int_equal(cudaMemcpyPeerAsync(storage_data(here), 1,
                                         storage_data(there), 0, N_BYTES, 0),
                     cudaSuccess);
    cudaSetDevice(0);
    unsigned char last = 0;
    assert_int_equal(storage_read(here, N_BYTES - 1, &last, 1), OK);
    assert_int_equal(last, 7);
    assert_int_equal(stream_synchronize(side), OK);
    storage_release(there);
    storage_release(here);
    stream_destroy(side);
}

/* A copy between GPUs waits for what the target was doing, and is waited for:
 * with side streams current on both ends. */
static void copies_between_gpus_are_ordered(void **state)
{
    (void)state;
    enum { N_BYTES = 1 << 20 };
    Stream side[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(stream_new(i, &side[i]), OK);
        stream_use(side[i]);
    }
    // The older work is the target's: adversarial order takes the youngest.
    Storage *to = storage_new(device_cuda(1), N_BYTES);
    Storage *from = storage_new(device_cuda(0), N_BYTES);
    cudaSetDevice(1);
    cudaMemsetAsync(storage_data(to), 9, N_BYTES,
                    (cudaStream_t)side[1].handle); // must come before the copy
    cudaSetDevice(0);
    cudaMemsetAsync(storage_data(from), 3, N_BYTES,
                    (cudaStream_t)side[0].handle);
    assert_int_equal(storage_copy(to, 0, from, 0, N_BYTES), OK);
    cudaMemsetAsync(storage_data(from), 5, N_BYTES,
                    (cudaStream_t)side[0].handle); // must come after it
    unsigned char byte = 0;
    assert_int_equal(storage_read(to, N_BYTES / 2, &byte, 1), OK);
    assert_int_equal(byte, 3);
    storage_release(from);
    storage_release(to);
    for (int i = 0; i < 2; i++)
        stream_destroy(side[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_is_used_until_another),
        cmocka_unit_test(the_choice_is_a_threads_own),
        cmocka_unit_test(waiting_orders_gpus),
        cmocka_unit_test(copies_between_gpus_are_ordered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
