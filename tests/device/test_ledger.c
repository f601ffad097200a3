/* The ledger counts what goes through the library, by direction. */
#include "device/device.h"  // defines: device_cuda, cuda_synchronize
#include "device/ledger.h"  // defines: Ledger, ledger_now, ledger_since
#include "device/storage.h" // defines: storage_new, storage_copy
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void check(LedgerCount count, int64_t n_copies, int64_t n_bytes)
{
    assert_int_equal(count.n_copies, n_copies);
    assert_int_equal(count.n_bytes, n_bytes);
}

static void each_direction_has_its_line(void **state)
{
    (void)state;
    char bytes[100] = {0};
    Ledger mark = ledger_now();
    Storage *host = storage_new(device_cpu(), 100);
    Storage *a = storage_new(device_cuda(2), 100);
    Storage *b = storage_new(device_cuda(5), 100);
    storage_write(a, 0, bytes, 10);
    storage_copy(a, 0, host, 0, 20);
    storage_read(a, 0, bytes, 30);
    storage_copy(a, 50, a, 0, 40);
    storage_copy(b, 0, a, 0, 50);
    storage_copy(host, 0, host, 50, 50); // within the host: counts nowhere
    storage_copy(b, 0, a, 0, 0);         // nothing: counts nowhere
    Ledger d = ledger_since(&mark);
    check(d.host_to_device, 2, 30);
    check(d.device_to_host, 1, 30);
    check(d.device_to_device, 1, 40);
    check(d.peer, 1, 50);
    check(d.printing, 0, 0);
    check(d.into[2], 3, 70);
    check(d.out_of[2], 3, 120);
    check(d.into[5], 1, 50);
    check(d.out_of[5], 0, 0);
    assert_int_equal(d.n_allocations, 2);
    assert_int_equal(d.n_synchronizations, 3);
    assert_int_equal(d.n_launches, 0);
    storage_release(host);
    storage_release(a);
    storage_release(b);
}

static void printing_is_kept_apart(void **state)
{
    (void)state;
    char bytes[8];
    Storage *a = storage_new(device_cuda(0), 8);
    Ledger mark = ledger_now();
    ledger_printing_begin();
    ledger_printing_begin();
    storage_read(a, 0, bytes, 8);
    ledger_printing_end();
    storage_read(a, 0, bytes, 8);
    ledger_printing_end();
    Ledger d = ledger_since(&mark);
    check(d.printing, 2, 16);
    check(d.device_to_host, 0, 0);
    check(d.out_of[0], 0, 0);
    assert_int_equal(d.n_synchronizations, 0);
    storage_read(a, 0, bytes, 8);
    d = ledger_since(&mark);
    check(d.device_to_host, 1, 8);
    storage_release(a);
}

static void waits_are_counted(void **state)
{
    (void)state;
    Ledger mark = ledger_now();
    cuda_synchronize(1);
    assert_int_equal(ledger_since(&mark).n_synchronizations, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_direction_has_its_line),
        cmocka_unit_test(printing_is_kept_apart),
        cmocka_unit_test(waits_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
