/* The simulated clock moves by what work costs, the same on every run. */
#include "device/clock.h"   // defines: clock_now_ns, clock_charge_host
#include "device/device.h"  // defines: device_cuda
#include "device/storage.h" // defines: storage_new, storage_write
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void work_takes_time(void **state)
{
    (void)state;
    assert_string_equal(clock_word(), "simulated");
    int64_t start = clock_now_ns();
    assert_int_equal(clock_now_ns(), start); // asking takes none
    clock_charge_host(1e9, 0);
    int64_t one = clock_now_ns() - start;
    assert_true(one > 0);
    clock_charge_host(2e9, 0);
    assert_true(clock_now_ns() - start > 2 * one);
    start = clock_now_ns();
    clock_charge_host(0, 1e9);
    assert_true(clock_now_ns() > start);
}

/* Sixteen times the bytes take longer, and the same bytes as long. */
static int64_t time_of(Storage *storage, const void *bytes, size_t n_bytes)
{
    int64_t start = clock_now_ns();
    assert_int_equal(storage_write(storage, 0, bytes, n_bytes), 0);
    return clock_now_ns() - start;
}

static void copies_take_time(void **state)
{
    (void)state;
    enum { N = 1 << 20 };
    static char bytes[N];
    Storage *storage = storage_new(device_cuda(0), N);
    int64_t small = time_of(storage, bytes, N / 16);
    int64_t large = time_of(storage, bytes, N);
    assert_true(small > 0);
    assert_true(large > 4 * small);
    assert_int_equal(time_of(storage, bytes, N), large);
    storage_release(storage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_takes_time),
        cmocka_unit_test(copies_take_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
