/* cuBLAS on the simulator: vectors, and matrices times vectors. */
#include "cublas_fixture.h" // defines: handle, da, db, dc, fetch, OK, STATUS

/* Vectors */

static int put_vectors(void **state)
{
    static const float x[] = {3, -4, 0, 12}, y[] = {1, 2, 3, 4};
    (void)state;
    OK(cudaMemcpy(da, x, sizeof(x), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(db, y, sizeof(y), cudaMemcpyHostToDevice));
    return 0;
}

static void sums_come_back_to_the_host(void **state)
{
    put_vectors(state);
    float r = 0;
    int where = 0;
    OK(cublasSnrm2(handle, 4, da, 1, &r));
    assert_true(r == 13);
    OK(cublasSasum(handle, 4, da, 1, &r));
    assert_true(r == 19);
    OK(cublasSdot(handle, 4, da, 1, db, 1, &r));
    assert_true(r == 3 - 8 + 0 + 48);
    OK(cublasIsamax(handle, 4, da, 1, &where));
    assert_int_equal(where, 4); // from 1
    OK(cublasIsamin(handle, 4, da, 1, &where));
    assert_int_equal(where, 3);
    OK(cublasSdot(handle, 2, da, 2, db, -2, &r)); // 3*3 + 0*1
    assert_true(r == 9);
    OK(cublasSnrm2(handle, 0, da, 1, &r));
    assert_true(r == 0);
    OK(cublasIsamax(handle, 4, da, 0, &where));
    assert_int_equal(where, 0);
    STATUS(cublasSnrm2(handle, 4, da, 1, NULL), CUBLAS_STATUS_INVALID_VALUE);
}

static void the_norm_does_not_overflow(void **state)
{
    (void)state;
    double x[] = {3e200, 4e200}, r;
    OK(cudaMemcpy(da, x, sizeof(x), cudaMemcpyHostToDevice));
    OK(cublasDnrm2(handle, 2, (double *)(void *)da, 1, &r));
    assert_true(fabs(r / 5e200 - 1) < 1e-15);
}

static void vectors_are_changed_in_place(void **state)
{
    put_vectors(state);
    float got[4], two = 2;
    OK(cublasSaxpy(handle, 4, &two, da, 1, db, 1));
    fetch(got, db, sizeof(got));
    assert_true(got[0] == 7 && got[1] == -6 && got[2] == 3 && got[3] == 28);
    OK(cublasSscal(handle, 2, &two, db, 2)); // elements 0 and 2
    fetch(got, db, sizeof(got));
    assert_true(got[0] == 14 && got[1] == -6 && got[2] == 6 && got[3] == 28);
    OK(cublasScopy(handle, 4, da, 1, db, -1)); // backwards
    fetch(got, db, sizeof(got));
    assert_true(got[0] == 12 && got[3] == 3);
    OK(cublasSswap(handle, 1, da, 1, db, 1));
    fetch(got, da, sizeof(got));
    assert_true(got[0] == 12);
    OK(cublasSscal(handle, -1, &two, db, 1)); // nothing
    STATUS(cublasSscal(handle, 1, NULL, db, 1), CUBLAS_STATUS_INVALID_VALUE);
}

static void a_matrix_times_a_vector(void **state)
{
    (void)state;
    float m[] = {1, 2, 3, 4, 5, 6}, x[] = {1, 10, 100}, got[6];
    OK(cudaMemcpy(da, m, sizeof(m), cudaMemcpyHostToDevice)); // 2 x 3
    OK(cudaMemcpy(db, x, sizeof(x), cudaMemcpyHostToDevice));
    OK(cublasSgemv(handle, CUBLAS_OP_N, 2, 3, &one, da, 2, db, 1, &zero, dc,
                   1));
    fetch(got, dc, sizeof(got));
    assert_true(got[0] == 531 && got[1] == 642);
    OK(cublasSgemv(handle, CUBLAS_OP_T, 2, 3, &one, da, 2, db, 1, &zero, dc,
                   1));
    fetch(got, dc, sizeof(got));
    assert_true(got[0] == 21 && got[1] == 43 && got[2] == 65);
    OK(cublasSger(handle, 2, 3, &one, db, 1, db, 1, da, 2));
    fetch(got, da, sizeof(got));
    assert_true(got[0] == 2 && got[1] == 12 && got[5] == 1006);
    STATUS(cublasSgemv(handle, CUBLAS_OP_N, 2, 3, &one, da, 1, db, 1, &zero, dc,
                       1),
           CUBLAS_STATUS_INVALID_VALUE);
    STATUS(cublasSgemv(handle, CUBLAS_OP_N, 2, 3, &one, da, 2, db, 0, &zero, dc,
                       1),
           CUBLAS_STATUS_INVALID_VALUE);
    STATUS(cublasSgemv(handle, (cublasOperation_t)7, 2, 3, &one, da, 2, db, 1,
                       &zero, dc, 1),
           CUBLAS_STATUS_INVALID_VALUE);
}

static void the_double_family(void **state)
{
    (void)state;
    double x[] = {1, -2, 3}, y[] = {10, 20, 30}, r, got[9];
    double two = 2, d_zero = 0;
    double *dx = (double *)(void *)da, *dy = (double *)(void *)db;
    double *dz = (double *)(void *)dc;
    int where;
    OK(cudaMemcpy(da, x, sizeof(x), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(db, y, sizeof(y), cudaMemcpyHostToDevice));
    OK(cublasDdot(handle, 3, dx, 1, dy, 1, &r));
    assert_true(r == 60);
    OK(cublasDasum(handle, 3, dx, 1, &r));
    assert_true(r == 6);
    OK(cublasIdamax(handle, 3, dx, 1, &where));
    assert_int_equal(where, 3);
    OK(cublasIdamin(handle, 3, dx, 1, &where));
    assert_int_equal(where, 1);
    OK(cublasDaxpy(handle, 3, &two, dx, 1, dy, 1)); // 12 16 36
    OK(cublasDscal(handle, 3, &two, dy, 1));        // 24 32 72
    OK(cublasDcopy(handle, 3, dy, 1, dz, 1));
    OK(cublasDswap(handle, 1, dx, 1, dz, 1));
    fetch(got, dz, 3 * sizeof(*got));
    assert_true(got[0] == 1 && got[1] == 32 && got[2] == 72);
    OK(cublasDgemv(handle, CUBLAS_OP_N, 1, 3, &two, dy, 1, dz, 1, &d_zero, dx,
                   1));
    fetch(got, dx, sizeof(*got));
    assert_true(got[0] == 2 * (24 * 1 + 32 * 32 + 72 * 72));
    OK(cublasDger(handle, 1, 1, &two, dy, 1, dy, 1, dz, 1));
    fetch(got, dz, sizeof(*got));
    assert_true(got[0] == 1 + 2 * 24 * 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_come_back_to_the_host),
        cmocka_unit_test(the_norm_does_not_overflow),
        cmocka_unit_test(vectors_are_changed_in_place),
        cmocka_unit_test(a_matrix_times_a_vector),
        cmocka_unit_test(the_double_family),
    };
    return cmocka_run_group_tests(tests, make_handle, drop_handle);
}
