/* Peer access: opened at the first copy between two GPUs that can, once a
 * direction, whichever thread comes first. Counted in the call log. */
#include "base/status.h"    // defines: status_peek
#include "call_log.h"       // defines: call_log_mark, call_log_count
#include "device/clock.h"   // defines: clock_now_ns
#include "device/device.h"  // defines: device_cuda, cuda_synchronize
#include "device/storage.h" // defines: storage_new, storage_copy
#include <cuda_runtime.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N_BYTES = 64, N_THREADS = 8 };

static bool can_peer(void)
{
    return strcmp(getenv("SIM_MACHINE"), "mixed") != 0;
}

static int n_grants(long mark)
{
    return call_log_count(mark, "cudaMemPoolSetAccess(") +
           call_log_count(mark, "cudaDeviceEnablePeerAccess(");
}

static void copy_between(int to, int from)
{
    Storage *a = storage_new(device_cuda(from), N_BYTES);
    Storage *b = storage_new(device_cuda(to), N_BYTES);
    unsigned char there[N_BYTES];
    unsigned char back[N_BYTES];
    memset(there, 10 * to + from, N_BYTES);
    assert_int_equal(storage_write(a, 0, there, N_BYTES), OK);
    assert_int_equal(storage_copy(b, 0, a, 0, N_BYTES), OK);
    assert_int_equal(storage_read(b, 0, back, N_BYTES), OK);
    assert_memory_equal(back, there, N_BYTES);
    storage_release(a);
    storage_release(b);
}

static void once_a_direction(void **state)
{
    (void)state;
    long mark = call_log_mark();
    copy_between(1, 0);
    assert_int_equal(n_grants(mark), can_peer() ? 1 : 0);
    assert_int_equal(call_log_count(mark, "cudaDeviceCanAccessPeer("), 1);
    mark = call_log_mark();
    copy_between(1, 0);
    assert_int_equal(n_grants(mark), 0);
    assert_int_equal(call_log_count(mark, "cudaDeviceCanAccessPeer("), 0);
    copy_between(0, 1); // the other way is another matter
    assert_int_equal(n_grants(mark), can_peer() ? 1 : 0);
    mark = call_log_mark();
    copy_between(0, 1);
    copy_between(1, 0);
    assert_int_equal(n_grants(mark), 0);
    assert_int_equal(status_peek(), OK);
    assert_int_equal(cudaPeekAtLastError(), cudaSuccess);
}

static void *copy_in_a_thread(void *unused)
{
    (void)unused;
    copy_between(3, 2);
    return NULL;
}

static void threads_open_it_once(void **state)
{
    (void)state;
    pthread_t threads[N_THREADS];
    if (!can_peer())
        skip(); // it has two GPUs
    long mark = call_log_mark();
    for (int i = 0; i < N_THREADS; i++)
        pthread_create(&threads[i], NULL, copy_in_a_thread, NULL);
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(n_grants(mark), 1);
}

/* Through the host it would be another 12 us, by this machine's figures. */
static void bytes_go_straight_across(void **state)
{
    (void)state;
    if (!can_peer())
        skip();
    copy_between(5, 4);
    Storage *a = storage_new(device_cuda(4), N_BYTES);
    Storage *b = storage_new(device_cuda(5), N_BYTES);
    cuda_synchronize(4);
    cuda_synchronize(5);
    int64_t start_ns = clock_now_ns();
    assert_int_equal(storage_copy(b, 0, a, 0, N_BYTES), OK);
    cuda_synchronize(5);
    assert_true(clock_now_ns() - start_ns < 20000);
    storage_release(a);
    storage_release(b);
}

/* What a program opened by hand is no failure. */
static void opened_by_hand_is_fine(void **state)
{
    (void)state;
    if (!can_peer())
        skip();
    assert_int_equal(cudaSetDevice(6), cudaSuccess);
    assert_int_equal(cudaDeviceEnablePeerAccess(7, 0), cudaSuccess);
    assert_int_equal(cudaSetDevice(0), cudaSuccess);
    copy_between(7, 6);
    assert_int_equal(status_peek(), OK);
    assert_int_equal(cudaPeekAtLastError(), cudaSuccess);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(once_a_direction),
        cmocka_unit_test(threads_open_it_once),
        cmocka_unit_test(bytes_go_straight_across),
        cmocka_unit_test(opened_by_hand_is_fine),
    };
    cuda_device_count(); // the first call begins the log anew
    return cmocka_run_group_tests(tests, NULL, NULL);
}
