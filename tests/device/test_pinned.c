/* Pinned host memory: copies that the host does not wait for, and blocks that
 * are lent again only when nobody copies from or to them. */
#include "base/alloc.h"     // defines: mem_fail_after
#include "base/status.h"    // defines: status_take, status_sentence
#include "device/device.h"  // defines: device_cuda, cuda_synchronize
#include "device/ledger.h"  // defines: ledger_now, ledger_since
#include "device/storage.h" // defines: storage_new_pinned, storage_copy_async
#include "device/stream.h"  // defines: stream_new, stream_use
#include <cuda_runtime.h>
#include <cudasim.h> // defines: cudasimFailCall
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N = 1 << 20 }; // long enough under way for what follows to be too early

static void whose_pages_are_locked(void **state)
{
    (void)state;
    Storage *plain = storage_new(device_cpu(), N);
    Storage *pinned = storage_new_pinned(N);
    Storage *there = storage_new(device_cuda(0), N);
    assert_false(storage_is_pinned(plain));
    assert_true(storage_is_pinned(pinned));
    assert_false(storage_is_pinned(there));
    assert_true(device_equal(storage_device(pinned), device_cpu()));
    assert_int_equal(storage_bytes(pinned), N);
    struct cudaPointerAttributes facts;
    assert_int_equal(cudaPointerGetAttributes(&facts, storage_data(pinned)),
                     cudaSuccess);
    assert_int_equal(facts.type, cudaMemoryTypeHost);
    storage_release(plain);
    storage_release(pinned);
    storage_release(there);

    char *own = malloc(N); // locked by somebody else, while it is lent to us
    Storage *lent = storage_borrow(device_cpu(), own, N, NULL, NULL);
    assert_false(storage_is_pinned(lent));
    assert_int_equal(cudaHostRegister(own, N, 0), cudaSuccess);
    assert_true(storage_is_pinned(lent));
    assert_int_equal(cudaHostUnregister(own), cudaSuccess);
    assert_false(storage_is_pinned(lent));
    storage_release(lent);
    free(own);
    Storage *empty = storage_new_pinned(0);
    assert_non_null(empty);
    assert_false(storage_is_pinned(empty));
    storage_release(empty);
}

static void the_host_does_not_wait(void **state)
{
    (void)state;
    Storage *here = storage_new_pinned(N);
    Storage *there = storage_new(device_cuda(2), N);
    Storage *back = storage_new_pinned(N);
    memset(storage_data(here), 7, N);
    memset(storage_data(back), 1, N);
    Ledger mark = ledger_now();
    assert_int_equal(storage_copy_async(there, 0, here, 0, N), OK);
    assert_int_equal(storage_copy_async(back, 0, there, 0, N), OK);
    assert_int_equal(ledger_since(&mark).n_synchronizations, 0);
    assert_int_equal(ledger_since(&mark).host_to_device.n_bytes, N);
    assert_int_equal(ledger_since(&mark).device_to_host.n_bytes, N);
    assert_int_equal(*(char *)storage_data(back), 1); // too early
    assert_int_equal(cuda_synchronize(2), OK);
    assert_memory_equal(storage_data(back), storage_data(here), N);
    int current = -1;
    assert_int_equal(cudaGetDevice(&current), cudaSuccess);
    assert_int_equal(current, 0);
    assert_int_equal(storage_copy(there, 0, here, 0, N), OK); // this one does
    assert_int_equal(ledger_since(&mark).n_synchronizations, 2);
    storage_release(here);
    storage_release(there);
    storage_release(back);
}

/* From memory that is not pinned a copy is safe without a wait. */
static void plain_memory_is_safe(void **state)
{
    (void)state;
    for (size_t n = 1000; n <= N; n = N + (size_t)(n == N)) {
        Storage *here = storage_new(device_cpu(), n);
        Storage *there = storage_new(device_cuda(0), n);
        memset(storage_data(here), 3, n);
        assert_int_equal(storage_copy_async(there, 0, here, 0, n), OK);
        memset(storage_data(here), 9, n);
        char last = 0;
        assert_int_equal(storage_read(there, n - 1, &last, 1), OK);
        assert_int_equal(last, 3);
        assert_int_equal(storage_copy_async(here, 0, there, 0, n), OK);
        assert_int_equal(*(char *)storage_data(here), 3);
        storage_release(here);
        storage_release(there);
    }
}

static void a_block_is_not_lent_too_early(void **state)
{
    (void)state;
    Stream side;
    assert_int_equal(stream_new(1, &side), OK);
    Storage *on_0 = storage_new(device_cuda(0), N);
    Storage *on_1 = storage_new(device_cuda(1), N);
    Storage *first = storage_new_pinned(N);
    void *data = storage_data(first);
    memset(data, 5, N);
    assert_int_equal(storage_copy_async(on_0, 0, first, 0, N), OK);
    Stream before = stream_use(side);
    assert_int_equal(stream_wait(side, before), OK);
    assert_int_equal(storage_copy_async(on_1, 0, first, 0, N), OK);
    stream_use(before);
    storage_release(first); // both copies still read it
    Storage *second = storage_new_pinned(N);
    assert_ptr_not_equal(storage_data(second), data);
    memset(storage_data(second), 6, N);
    assert_int_equal(cuda_synchronize(0), OK); // one of the two has ended
    Storage *third = storage_new_pinned(N);
    assert_ptr_not_equal(storage_data(third), data);
    assert_int_equal(stream_synchronize(side), OK);
    Storage *fourth = storage_new_pinned(N - 100);
    assert_ptr_equal(storage_data(fourth), data); // kept, and idle now
    char got = 0;
    assert_int_equal(storage_read(on_0, N - 1, &got, 1), OK);
    assert_int_equal(got, 5);
    assert_int_equal(storage_read(on_1, N - 1, &got, 1), OK);
    assert_int_equal(got, 5);
    const void *others[] = {storage_data(second), storage_data(third)};
    Storage *all[] = {on_0, on_1, second, third, fourth};
    for (int i = 0; i < 5; i++)
        storage_release(all[i]);
    Storage *half = storage_new_pinned(N / 2);     // kept ones fit,
    Storage *less = storage_new_pinned(N / 2 - 1); // or would waste too much
    assert_ptr_equal(storage_data(half), data);
    assert_ptr_not_equal(storage_data(less), others[0]);
    assert_ptr_not_equal(storage_data(less), others[1]);
    storage_release(half);
    storage_release(less);
    assert_int_equal(stream_destroy(side), OK);
}

/* The n-th cudaHostAlloc fails: what is kept is given back, then it is said. */
static void no_room(void **state)
{
    (void)state;
    Storage *kept = storage_new_pinned(4 * N);
    storage_release(kept);
    cudasimFailCall("cudaHostAlloc", 0, 1, cudaErrorMemoryAllocation);
    Storage *after_all = storage_new_pinned(64 * N);
    assert_non_null(after_all);
    cudasimFailCall("cudaHostAlloc", 0, 2, cudaErrorMemoryAllocation);
    assert_null(storage_new_pinned(128 * N));
    cudasimFailCall(NULL, 0, 0, cudaSuccess);
    assert_int_equal(status_take(), ERR_MEMORY);
    assert_string_equal(status_sentence(),
                        "CUDA error: out of memory (tried to lock 134217728 "
                        "bytes of host memory)");
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    storage_release(after_all);
}

/* The event cannot be left: the copy is waited for instead. */
static void a_failed_event(void **state)
{
    (void)state;
    Storage *here = storage_new_pinned(N);
    Storage *there = storage_new(device_cuda(3), N);
    memset(storage_data(here), 2, N);
    cudasimFailCall("cudaEventRecord", 0, 1, cudaErrorOperatingSystem);
    assert_int_equal(storage_copy_async(there, 0, here, 0, N), ERR_CUDA);
    cudasimFailCall(NULL, 0, 0, cudaSuccess);
    status_take();
    memset(storage_data(here), 8, N);
    char got = 0;
    assert_int_equal(storage_read(there, 0, &got, 1), OK);
    assert_int_equal(got, 2);
    storage_release(here);
    storage_release(there);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whose_pages_are_locked),
        cmocka_unit_test(the_host_does_not_wait),
        cmocka_unit_test(plain_memory_is_safe),
        cmocka_unit_test(a_block_is_not_lent_too_early),
        cmocka_unit_test(no_room),
        cmocka_unit_test(a_failed_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
