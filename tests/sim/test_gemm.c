/* cuBLAS on the simulator: products of matrices. */
#include "cublas_fixture.h" // defines: handle, da, db, dc, fetch, OK, STATUS

/* gemm */

static int at(cublasOperation_t op, int i, int j, int ld)
{
    return op == CUBLAS_OP_N ? i + j * ld : j + i * ld;
}

/* What the fixed order gives, bit for bit. */
static float expected(cublasOperation_t ta, cublasOperation_t tb, int i, int j,
                      int k, int lda, int ldb, float alpha, float beta,
                      float before)
{
    float sum = 0;
    for (int l = 0; l < k; l++) {
        float product = a[at(ta, i, l, lda)] * b[at(tb, l, j, ldb)];
        sum += product;
    }
    float value = alpha * sum;
    if (beta != 0)
        value += beta * before;
    return value;
}

static void sgemm_in_all_orientations(void **state)
{
    (void)state;
    static const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T,
                                            CUBLAS_OP_C};
    enum { M = 5, N = 4, K = 60, LDA = 61, LDB = 62, LDC = 6 };
    float alpha = 1.5f, beta = -0.5f;
    for (int x = 0; x < 9; x++) {
        cublasOperation_t ta = ops[x / 3], tb = ops[x % 3];
        float got[LDC * N];
        OK(cudaMemcpy(dc, c, sizeof(c), cudaMemcpyHostToDevice));
        OK(cublasSgemm(handle, ta, tb, M, N, K, &alpha, da, LDA, db, LDB, &beta,
                       dc, LDC));
        fetch(got, dc, sizeof(got));
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < M; i++)
                assert_true(got[i + j * LDC] == expected(ta, tb, i, j, K, LDA,
                                                         LDB, alpha, beta,
                                                         c[i + j * LDC]));
            assert_true(got[M + j * LDC] == c[M + j * LDC]); // the gap stays
        }
    }
}

static void beta_zero_does_not_read_c(void **state)
{
    (void)state;
    float nan_ = NAN, got;
    OK(cudaMemcpy(dc, &nan_, sizeof(nan_), cudaMemcpyHostToDevice));
    OK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, da, 1, db,
                   1, &zero, dc, 1));
    fetch(&got, dc, sizeof(got));
    assert_true(got == a[0] * b[0]);
}

static void k_zero_scales_c(void **state)
{
    (void)state;
    float three = 3, half = 0.5f, got;
    OK(cudaMemcpy(dc, &three, sizeof(three), cudaMemcpyHostToDevice));
    OK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 0, &one, da, 1, db,
                   1, &half, dc, 1));
    fetch(&got, dc, sizeof(got));
    assert_true(got == 1.5f);
    OK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 0, 1, 1, &one, da, 1, db,
                   1, &half, dc, 1));
}

static void bad_arguments_are_invalid_values(void **state)
{
    (void)state;
    static const struct {
        int ta, tb, m, n, k, lda, ldb, ldc;
    } rows[] = {
        {9, 0, 2, 2, 2, 2, 2, 2},  {0, 3, 2, 2, 2, 2, 2, 2},
        {0, 0, -1, 2, 2, 2, 2, 2}, {0, 0, 2, -1, 2, 2, 2, 2},
        {0, 0, 2, 2, -1, 2, 2, 2}, {0, 0, 2, 2, 3, 1, 3, 2},
        {1, 0, 2, 2, 3, 2, 3, 2},  {0, 0, 2, 2, 3, 2, 2, 2},
        {0, 1, 2, 4, 3, 2, 3, 2},  {0, 0, 2, 2, 3, 2, 3, 1},
        {0, 0, 0, 0, 0, 0, 1, 1},  {0, 0, 0, 0, 0, 1, 1, 0},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        cublasStatus_t status = cublasSgemm(
            handle, (cublasOperation_t)rows[i].ta,
            (cublasOperation_t)rows[i].tb, rows[i].m, rows[i].n, rows[i].k,
            &one, da, rows[i].lda, db, rows[i].ldb, &zero, dc, rows[i].ldc);
        if (status != CUBLAS_STATUS_INVALID_VALUE)
            fail_msg("row %zu: %s", i, cublasGetStatusName(status));
    }
    STATUS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, NULL, da, 1,
                       db, 1, &zero, dc, 1),
           CUBLAS_STATUS_INVALID_VALUE);
    STATUS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, da, 1,
                       db, 1, NULL, dc, 1),
           CUBLAS_STATUS_INVALID_VALUE);
    STATUS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, da, 1,
                       db, 1, &one, NULL, 1),
           CUBLAS_STATUS_INVALID_VALUE);
}

static void use_a_device_scalar(void)
{
    STATUS(cublasSscal(handle, 1, da, db, 1), CUBLAS_STATUS_INVALID_VALUE);
}

static void scalars_may_live_on_the_device(void **state)
{
    (void)state;
    float got;
    assert_string_equal(stderr_of(use_a_device_scalar),
                        "cudasim: cublasSscal: a scalar is in the memory of "
                        "cuda:0, but the pointer mode is "
                        "CUBLAS_POINTER_MODE_HOST\n");
    OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    OK(cublasSscal(handle, 1, da, db, 1)); // alpha = a[0]
    OK(cublasSdot(handle, 3, da, 1, da, 1, dc));
    OK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    fetch(&got, db, sizeof(got));
    assert_true(got == a[0] * b[0]);
    fetch(&got, dc, sizeof(got));
    assert_true(got == a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static void dgemm_and_batches(void **state)
{
    (void)state;
    double x[12], y[12], z[8] = {0}, alpha = 1, beta = 0;
    for (int i = 0; i < 12; i++) {
        x[i] = i + 1;
        y[i] = 1.0 / (i + 1);
    }
    OK(cudaMemcpy(da, x, sizeof(x), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(db, y, sizeof(y), cudaMemcpyHostToDevice));
    // Two products of 2 x 3 by 3 x 2.
    OK(cublasDgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3,
                                 &alpha, (double *)(void *)da, 2, 6,
                                 (double *)(void *)db, 3, 6, &beta,
                                 (double *)(void *)dc, 2, 4, 2));
    fetch(z, dc, sizeof(z));
    for (int batch = 0; batch < 2; batch++) {
        for (int e = 0; e < 4; e++) {
            double sum = 0;
            for (int l = 0; l < 3; l++)
                sum += x[6 * batch + e % 2 + 2 * l] *
                       y[6 * batch + l + 3 * (e / 2)];
            assert_true(z[4 * batch + e] == sum);
        }
    }
    OK(cublasDgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, 2, &alpha,
                   (double *)(void *)da, 2, (double *)(void *)db, 2, &beta,
                   (double *)(void *)dc, 1));
    fetch(z, dc, sizeof(*z));
    assert_true(z[0] == x[0] * y[0] + x[1] * y[1]);
    STATUS(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1,
                                     &one, da, 1, 1, db, 1, 1, &zero, dc, 1, 1,
                                     -1),
           CUBLAS_STATUS_INVALID_VALUE);
    OK(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1,
                                 &one, da, 1, 1, db, 1, 1, &zero, dc, 1, 1, 0));
}

/* The batch of one input (stride 0) and of many outputs. */
static void a_stride_of_zero_repeats_a_matrix(void **state)
{
    (void)state;
    float got[3];
    OK(cudaMemcpy(da, a, sizeof(a), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(db, b, sizeof(b), cudaMemcpyHostToDevice));
    OK(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1,
                                 &one, da, 1, 0, db, 1, 1, &zero, dc, 1, 1, 3));
    fetch(got, dc, sizeof(got));
    for (int i = 0; i < 3; i++)
        assert_true(got[i] == a[0] * b[i]);
}

static void large_products_agree_with_small_ones(void **state)
{
    (void)state;
    enum { SIZE = 160 }; // 160^3 multiply-adds are beyond 2^21
    size_t bytes = sizeof(float) * SIZE * SIZE;
    float *x = malloc(bytes), *z = malloc(bytes), *dx, *dz;
    assert_non_null(x);
    assert_non_null(z);
    for (int i = 0; i < SIZE * SIZE; i++)
        x[i] = (float)(i * 13 % 31) - 15;
    OK(cudaMalloc((void **)&dx, bytes));
    OK(cudaMalloc((void **)&dz, bytes));
    OK(cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice));
    OK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, SIZE, SIZE, SIZE, &one, dx,
                   SIZE, dx, SIZE, &zero, dz, SIZE));
    fetch(z, dz, bytes);
    for (int j = 0; j < SIZE; j += 37) {
        for (int i = 0; i < SIZE; i++) {
            float sum = 0; // whole numbers: exact in any order
            for (int l = 0; l < SIZE; l++)
                sum += x[i + l * SIZE] * x[j + l * SIZE];
            assert_true(z[i + j * SIZE] == sum);
        }
    }
    OK(cudaFree(dx));
    OK(cudaFree(dz));
    free(x);
    free(z);
}

/* gemmEx */

static void put_halves(void *to, const uint16_t *bits, int n)
{
    OK(cudaMemcpy(to, bits, (size_t)n * 2, cudaMemcpyHostToDevice));
}

static cublasStatus_t ex(cudaDataType in, cudaDataType out,
                         cublasComputeType_t compute, const void *alpha,
                         const void *beta)
{
    return cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, 2, alpha, da,
                        in, 2, db, in, 2, beta, dc, out, 1, compute,
                        CUBLAS_GEMM_DEFAULT);
}

static void gemm_ex_in_half_precision(void **state)
{
    (void)state;
    // 1.5, -2 and 3, 0.5 as float16 and as bfloat16: 4.5 - 1 = 3.5.
    static const uint16_t x16[] = {0x3e00, 0xc000}, y16[] = {0x4200, 0x3800};
    static const uint16_t xb[] = {0x3fc0, 0xc000}, yb[] = {0x4040, 0x3f00};
    uint16_t h_one = 0x3c00, h_zero = 0, got16 = 0;
    float got = 0;
    put_halves(da, x16, 2);
    put_halves(db, y16, 2);
    OK(ex(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, &one, &zero));
    fetch(&got, dc, sizeof(got));
    assert_true(got == 3.5f);
    OK(ex(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, &one, &zero));
    fetch(&got16, dc, sizeof(got16));
    assert_int_equal(got16, 0x4300);
    OK(ex(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, &h_one, &h_zero));
    fetch(&got16, dc, sizeof(got16));
    assert_int_equal(got16, 0x4300);
    put_halves(da, xb, 2);
    put_halves(db, yb, 2);
    OK(ex(CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, &one, &zero));
    fetch(&got16, dc, sizeof(got16));
    assert_int_equal(got16, 0x4060);
    OK(ex(CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC, &one, &zero));
    fetch(&got, dc, sizeof(got));
    assert_true(got == 3.5f);
}

static void gemm_ex_overflows_to_infinity(void **state)
{
    (void)state;
    static const uint16_t x[] = {0x7bff, 0x7bff}, y[] = {0x3c00, 0x3c00};
    uint16_t got;
    put_halves(da, x, 2); // 65504 + 65504
    put_halves(db, y, 2);
    OK(ex(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, &one, &zero));
    fetch(&got, dc, sizeof(got));
    assert_int_equal(got, 0x7c00); // seeds 3.6
}

static void gemm_ex_with_whole_numbers(void **state)
{
    (void)state;
    static const int8_t x[] = {100, -128}, y[] = {3, 2};
    int32_t i_one = 1, i_minus = -1, got = 10;
    OK(cudaMemcpy(da, x, sizeof(x), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(db, y, sizeof(y), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(dc, &got, sizeof(got), cudaMemcpyHostToDevice));
    OK(ex(CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, &i_one, &i_minus));
    fetch(&got, dc, sizeof(got));
    assert_int_equal(got, 300 - 256 - 10);
}

static void gemm_ex_refuses_other_combinations(void **state)
{
    (void)state;
    STATUS(ex(CUDA_R_32F, CUDA_R_16F, CUBLAS_COMPUTE_32F, &one, &zero),
           CUBLAS_STATUS_NOT_SUPPORTED);
    STATUS(ex(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_16F, &one, &zero),
           CUBLAS_STATUS_NOT_SUPPORTED);
    STATUS(ex(CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_32F, &one, &zero),
           CUBLAS_STATUS_NOT_SUPPORTED);
    STATUS(ex(CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F, &one, &zero),
           CUBLAS_STATUS_NOT_SUPPORTED);
    STATUS(ex(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F_FAST_16F, &one, &zero),
           CUBLAS_STATUS_NOT_SUPPORTED);
}

static void fast_compute_rounds_its_inputs(void **state)
{
    (void)state;
    float x[] = {1 + 0x1p-12f, 0}, y[] = {1, 0}, got;
    OK(cudaMemcpy(da, x, sizeof(x), cudaMemcpyHostToDevice));
    OK(cudaMemcpy(db, y, sizeof(y), cudaMemcpyHostToDevice));
    OK(ex(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, &one, &zero));
    fetch(&got, dc, sizeof(got));
    assert_true(got == x[0]);
    OK(ex(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_16F, &one, &zero));
    fetch(&got, dc, sizeof(got));
    assert_true(got == 1);
    // A V100 has no TF32: there the inputs stay whole.
    OK(ex(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, &one, &zero));
    fetch(&got, dc, sizeof(got));
    assert_true(got == x[0]);
}

static void batches_of_any_type(void **state)
{
    (void)state;
    static const uint16_t x[] = {0x3c00, 0x4000, 0x4200}; // 1 2 3
    float got[3];
    put_halves(da, x, 3);
    OK(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1,
                                  &one, da, CUDA_R_16F, 1, 1, da, CUDA_R_16F, 1,
                                  1, &zero, dc, CUDA_R_32F, 1, 1, 3,
                                  CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    fetch(got, dc, sizeof(got));
    assert_true(got[0] == 1 && got[1] == 4 && got[2] == 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sgemm_in_all_orientations),
        cmocka_unit_test(beta_zero_does_not_read_c),
        cmocka_unit_test(k_zero_scales_c),
        cmocka_unit_test(bad_arguments_are_invalid_values),
        cmocka_unit_test(scalars_may_live_on_the_device),
        cmocka_unit_test(dgemm_and_batches),
        cmocka_unit_test(a_stride_of_zero_repeats_a_matrix),
        cmocka_unit_test(large_products_agree_with_small_ones),
        cmocka_unit_test(gemm_ex_in_half_precision),
        cmocka_unit_test(gemm_ex_overflows_to_infinity),
        cmocka_unit_test(gemm_ex_with_whole_numbers),
        cmocka_unit_test(gemm_ex_refuses_other_combinations),
        cmocka_unit_test(fast_compute_rounds_its_inputs),
        cmocka_unit_test(batches_of_any_type),
    };
    return cmocka_run_group_tests(tests, make_handle, drop_handle);
}
