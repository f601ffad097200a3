/* Bytes at a place: made, shared, copied, counted, and not enough of them. */
#include "base/alloc.h"     // defines: mem_fail_after
#include "base/status.h"    // defines: status_take, status_sentence
#include "device/device.h"  // defines: device_cuda
#include "device/storage.h" // defines: Storage, storage_new, storage_copy
#include <cuda_runtime.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { N = 1000 };

/* From each of three places to each, by way of storage_copy. */
static void bytes_travel_anywhere(void **state)
{
    (void)state;
    const Device places[] = {device_cpu(), device_cuda(0), device_cuda(7)};
    char out[N];
    char in[N];
    for (int i = 0; i < N; i++)
        in[i] = (char)(i * 7);
    for (int from = 0; from < 3; from++)
        for (int to = 0; to < 3; to++) {
            Storage *a = storage_new(places[from], N);
            Storage *b = storage_new(places[to], N);
            memset(out, 0, N);
            assert_int_equal(storage_write(a, 0, in, N), OK);
            assert_int_equal(storage_copy(b, 100, a, 50, N - 100), OK);
            assert_int_equal(storage_read(b, 100, out, N - 100), OK);
            assert_memory_equal(out, in + 50, N - 100);
            assert_true(device_equal(storage_device(b), places[to]));
            storage_release(a);
            storage_release(b);
        }
    int current = -1;
    assert_int_equal(cudaGetDevice(&current), cudaSuccess);
    assert_int_equal(current, 0);
}

static void the_pointer_is_the_gpus(void **state)
{
    (void)state;
    Storage *storage = storage_new(device_cuda(3), 64);
    struct cudaPointerAttributes facts;
    assert_int_equal(cudaPointerGetAttributes(&facts, storage_data(storage)),
                     cudaSuccess);
    assert_int_equal(facts.type, cudaMemoryTypeDevice);
    assert_int_equal(facts.device, 3);
    assert_int_equal(storage_bytes(storage), 64);
    storage_release(storage);
}

static void a_copy_stays_inside(void **state)
{
    (void)state;
    Storage *storage = storage_new(device_cpu(), 10);
    char bytes[16] = {0};
    assert_int_equal(storage_write(storage, 4, bytes, 7), ERR_RUNTIME);
    assert_string_equal(
        status_sentence(),
        "a copy of 7 bytes from byte 4 on leaves its storage of 10 bytes");
    status_take();
    assert_int_equal(storage_read(storage, 11, bytes, 0), ERR_RUNTIME);
    status_take();
    assert_int_equal(storage_write(storage, 10, bytes, 0), OK);
    storage_release(storage);
}

static void nothing_is_something(void **state)
{
    (void)state;
    Storage *a = storage_new(device_cuda(0), 0);
    Storage *b = storage_new(device_cpu(), 0);
    assert_non_null(a);
    assert_int_equal(storage_copy(a, 0, b, 0, 0), OK);
    storage_release(a);
    storage_release(b);
    storage_release(NULL);
}

static void count_release(void *context)
{
    ++*(int *)context;
}

static void borrowed_bytes_stay_their_owners(void **state)
{
    (void)state;
    int n_released = 0;
    char bytes[] = "1111";
    Storage *storage =
        storage_borrow(device_cpu(), bytes, 4, count_release, &n_released);
    assert_ptr_equal(storage_data(storage), bytes);
    assert_int_equal(storage_write(storage, 1, "23", 2), OK);
    assert_string_equal(bytes, "1231");
    assert_ptr_equal(storage_retain(storage), storage);
    storage_release(storage);
    assert_int_equal(n_released, 0);
    storage_release(storage);
    assert_int_equal(n_released, 1);
    storage_release(storage_borrow(device_cpu(), bytes, 4, NULL, NULL));
}

/* Asks for more than there is, with one GiB of it in use. */
static void no_room_is_told_with_figures(void **state)
{
    (void)state;
    const size_t gib = (size_t)1 << 30;
    Storage *held = storage_new(device_cuda(2), gib);
    assert_non_null(held);
    assert_null(storage_new(device_cuda(2), 40 * gib));
    size_t free_bytes = 0;
    size_t total_bytes = 0;
    assert_int_equal(status_take(), ERR_MEMORY);
    cuda_mem_info(2, &free_bytes, &total_bytes);
    char expected[512];
    snprintf(expected, sizeof expected,
             "CUDA out of memory. Tried to allocate 40.00 GiB (GPU 2; %.2f GiB "
             "total capacity; 1024.00 MiB already allocated; %.2f GiB free; "
             "1024.00 MiB reserved in total by PyTorch) If reserved memory is "
             ">> allocated memory try setting max_split_size_mb to avoid "
             "fragmentation.  See documentation for Memory Management and "
             "PYTORCH_CUDA_ALLOC_CONF",
             (double)total_bytes / (double)gib,
             (double)free_bytes / (double)gib);
    assert_string_equal(status_sentence(), expected);
    storage_release(held);
    assert_null(storage_new(device_cuda(2), 40 * gib));
    assert_non_null(strstr(status_sentence(), "; 0 bytes already allocated;"));
    assert_int_equal(status_take(), ERR_MEMORY);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
}

/* What was freed is kept in the pool, and serves what comes next. */
static void the_pool_keeps_what_is_freed(void **state)
{
    (void)state;
    int has_pools = 0;
    cudaDeviceGetAttribute(&has_pools, cudaDevAttrMemoryPoolsSupported, 4);
    if (!has_pools)
        skip();
    const size_t gib = (size_t)1 << 30;
    Storage *pieces[28];
    for (int i = 0; i < 28; i++)
        assert_non_null(pieces[i] = storage_new(device_cuda(4), gib));
    for (int i = 0; i < 28; i++)
        storage_release(pieces[i]);
    size_t free_bytes = 0;
    size_t total_bytes = 0;
    assert_int_equal(cuda_synchronize(4), OK);
    cuda_mem_info(4, &free_bytes, &total_bytes);
    assert_true(free_bytes < 4 * gib); // it was kept
    Storage *big = storage_new(device_cuda(4), 30 * gib);
    assert_non_null(big);
    storage_release(big);
}

static void host_memory_can_run_out(void **state)
{
    (void)state;
    assert_null(storage_new(device_cpu(), (size_t)1 << 60));
    assert_string_equal(
        status_sentence(),
        "DefaultCPUAllocator: can't allocate memory: you tried to allocate "
        "1152921504606846976 bytes. Error code 12 (Cannot allocate memory)");
    assert_int_equal(status_take(), ERR_MEMORY);
    mem_fail_after(1);
    assert_null(storage_new(device_cpu(), 8));
    assert_int_equal(status_take(), ERR_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_travel_anywhere),
        cmocka_unit_test(the_pointer_is_the_gpus),
        cmocka_unit_test(a_copy_stays_inside),
        cmocka_unit_test(nothing_is_something),
        cmocka_unit_test(borrowed_bytes_stay_their_owners),
        cmocka_unit_test(no_room_is_told_with_figures),
        cmocka_unit_test(the_pool_keeps_what_is_freed),
        cmocka_unit_test(host_memory_can_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
