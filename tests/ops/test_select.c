/* Slices by index; out of range on the CPU and on a GPU. The last test loses a
 * GPU for good, so it comes last. */
#include "arrays.h"   // defines: places, array_of, check_array
#include "ops/copy.h" // defines: op_index_select
#include <string.h>
#include <unistd.h>

static void slices_are_picked(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array x = array_of(FLOAT32, shape(2, 3), places[p],
                           NUMBERS(1, 2, 3, 4, 5, 6));
        Array index = array_of(INT64, shape(4), places[p], NUMBERS(2, 0, 0, 1));
        Array out = {0};
        assert_int_equal(op_index_select(&x, 1, &index, &out), OK);
        check_array(&out, FLOAT32, shape(2, 4), places[p],
                    NUMBERS(3, 1, 1, 2, 6, 4, 4, 5));
        array_release(&index);
        index = array_of(INT32, shape(1), places[p], NUMBERS(1));
        assert_int_equal(op_index_select(&x, -2, &index, &out), OK);
        check_array(&out, FLOAT32, shape(1, 3), places[p], NUMBERS(4, 5, 6));
        array_release(&index);
        array_release(&x);
    }
}

/* A single number has one place: nothing is written behind it. */
static void of_one_number_one_is_picked(void **state)
{
    (void)state;
    for (int p = 0; p < N_PLACES; p++) {
        Array x = array_of(FLOAT32, shape_scalar(), places[p], NUMBERS(7));
        Array zeros = {0}, first = {0}, out = {0};
        op_zeros(INT64, shape(1000), places[p], &zeros);
        array_slice(&zeros, 0, 0, 1, &first);
        check_failure(op_index_select(&x, 0, &zeros, &out), ERR_INDEX,
                      "index_select(): Index to scalar can have only 1 value, "
                      "got 1000 value(s)");
        assert_int_equal(op_index_select(&x, 0, &first, &out), OK);
        check_array(&out, FLOAT32, shape_scalar(), places[p], NUMBERS(7));
        array_release(&x);
        array_release(&zeros);
        array_release(&first);
    }
}

static void bad_indices_are_refused(void **state)
{
    (void)state;
    Array x = array_of(FLOAT32, shape(2), device_cpu(), NUMBERS(1, 2));
    Array index = array_of(INT64, shape(2), device_cpu(), NUMBERS(0, 2));
    Array minus = array_of(INT64, shape(1), device_cpu(), NUMBERS(-1));
    Array table = array_of(INT64, shape(1, 1), device_cpu(), NUMBERS(0));
    Array real = array_of(FLOAT32, shape(1), device_cpu(), NUMBERS(0));
    Array far = array_of(INT64, shape(1), device_cuda(1), NUMBERS(0));
    Array out = {0};
    check_failure(op_index_select(&x, 0, &index, &out), ERR_INDEX,
                  "index out of range in self");
    check_failure(op_index_select(&x, 0, &minus, &out), ERR_INDEX,
                  "index out of range in self");
    check_failure(op_index_select(&x, 0, &table, &out), ERR_INDEX,
                  "index_select(): Index is supposed to be a vector");
    check_failure(op_index_select(&x, 0, &real, &out), ERR_RUNTIME,
                  "index_select(): Expected dtype int32 or int64 for index");
    check_failure(op_index_select(&x, 1, &minus, &out), ERR_INDEX,
                  "Dimension out of range (expected to be in range of [-1, 0], "
                  "but got 1)");
    check_failure(op_index_select(&x, 0, &far, &out), ERR_DEVICE,
                  "expected device cpu but got device cuda:1");
    assert_null(out.storage);
    array_release(&x);
    array_release(&index);
    array_release(&minus);
    array_release(&table);
    array_release(&real);
    array_release(&far);
}

/* What goes to stderr while the GPU runs. */
static char said[1024];

static Status synchronize_and_listen(int device)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    int before = dup(2);
    dup2(ends[1], 2);
    Status status = cuda_synchronize(device);
    dup2(before, 2);
    close(before);
    close(ends[1]);
    ssize_t n = read(ends[0], said, sizeof said - 1);
    said[n > 0 ? n : 0] = '\0';
    close(ends[0]);
    return status;
}

/* seeds 1.14: told later, and for good */
static void a_gpu_asserts(void **state)
{
    (void)state;
    Array x = array_of(FLOAT32, shape(2), device_cuda(2), NUMBERS(1, 2));
    Array index = array_of(INT64, shape(3), device_cuda(2), NUMBERS(1, 0, 5));
    Array out = {0};
    assert_int_equal(op_index_select(&x, 0, &index, &out), OK);
    assert_int_equal(synchronize_and_listen(2), ERR_CUDA);
    const char *first = "CUDA error: device-side assert triggered\n";
    assert_memory_equal(status_sentence(), first, strlen(first));
    status_take();
    assert_non_null(strstr(said, "copy.k.h:"));
    assert_non_null(strstr(said, "select_32: block: [0,0,0], thread: [2,0,0] "
                                 "Assertion `index >= 0 && index < k.n` "
                                 "failed."));
    // The GPU is lost for this process, another is not.
    Array more = {0};
    assert_int_equal(op_clone(&x, &more), ERR_CUDA);
    assert_memory_equal(status_sentence(), first, strlen(first));
    status_take();
    array_release(&x);
    array_release(&index);
    array_release(&out);
    x = array_of(FLOAT32, shape(1), device_cuda(3), NUMBERS(4));
    check_array(&x, FLOAT32, shape(1), device_cuda(3), NUMBERS(4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_are_picked),
        cmocka_unit_test(of_one_number_one_is_picked),
        cmocka_unit_test(bad_indices_are_refused),
        cmocka_unit_test(a_gpu_asserts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
