/* cuBLAS on the simulator: handles, copies, time, counters and faults. */
#include "cublas_fixture.h" // defines: handle, da, db, dc, fetch, OK, STATUS

/* Handles */

static void a_handle_has_its_modes(void **state)
{
    (void)state;
    int version = 0;
    OK(cublasGetVersion(handle, &version));
    assert_int_equal(version, CUBLAS_VERSION);
    OK(cublasGetProperty(MAJOR_VERSION, &version));
    assert_int_equal(version, 13);
    STATUS(cublasGetProperty((libraryPropertyType)9, &version),
           CUBLAS_STATUS_INVALID_VALUE);
    assert_int_equal(cublasGetCudartVersion(), 13000);

    cublasPointerMode_t pointer;
    OK(cublasGetPointerMode(handle, &pointer));
    assert_int_equal(pointer, CUBLAS_POINTER_MODE_HOST);
    STATUS(cublasSetPointerMode(handle, (cublasPointerMode_t)2),
           CUBLAS_STATUS_INVALID_VALUE);

    cublasMath_t math;
    OK(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH));
    OK(cublasGetMathMode(handle, &math));
    assert_int_equal(math, CUBLAS_TF32_TENSOR_OP_MATH);
    STATUS(cublasSetMathMode(handle, (cublasMath_t)77),
           CUBLAS_STATUS_INVALID_VALUE);
    STATUS(cublasSetMathMode(handle, CUBLAS_FP32_EMULATED_BF16X9_MATH),
           CUBLAS_STATUS_NOT_SUPPORTED);
    OK(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));

    cublasAtomicsMode_t atomics;
    OK(cublasSetAtomicsMode(handle, CUBLAS_ATOMICS_ALLOWED));
    OK(cublasGetAtomicsMode(handle, &atomics));
    assert_int_equal(atomics, CUBLAS_ATOMICS_ALLOWED);
    STATUS(cublasSetAtomicsMode(handle, (cublasAtomicsMode_t)5),
           CUBLAS_STATUS_INVALID_VALUE);
}

static void a_handle_has_its_stream_and_workspace(void **state)
{
    (void)state;
    cudaStream_t stream, got;
    OK(cudaStreamCreate(&stream));
    OK(cublasSetStream(handle, stream));
    OK(cublasGetStream(handle, &got));
    assert_ptr_equal(got, stream);
    STATUS(cublasGetStream(handle, NULL), CUBLAS_STATUS_INVALID_VALUE);
    OK(cublasSetWorkspace(handle, da, sizeof(a)));
    STATUS(cublasSetWorkspace(handle, da + 1, 64), CUBLAS_STATUS_INVALID_VALUE);
    OK(cublasSetStream(handle, NULL));
    OK(cudaStreamDestroy(stream));
}

static void no_handle_is_not_initialized(void **state)
{
    (void)state;
    float r;
    cublasHandle_t other;
    STATUS(cublasSnrm2(NULL, 1, da, 1, &r), CUBLAS_STATUS_NOT_INITIALIZED);
    STATUS(cublasDestroy(NULL), CUBLAS_STATUS_NOT_INITIALIZED);
    STATUS(cublasSetStream(NULL, NULL), CUBLAS_STATUS_NOT_INITIALIZED);
    STATUS(cublasCreate(NULL), CUBLAS_STATUS_INVALID_VALUE);
    OK(cublasCreate(&other));
    OK(cublasDestroy(other));
    STATUS(cublasDestroy(other), CUBLAS_STATUS_NOT_INITIALIZED);
}

static void use_from_device_1(void)
{
    OK(cudaSetDevice(1));
    STATUS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, da, 1,
                       db, 1, &zero, dc, 1),
           CUBLAS_STATUS_EXECUTION_FAILED);
    OK(cudaSetDevice(0));
}

static void the_device_is_that_of_create(void **state)
{
    (void)state;
    assert_string_equal(stderr_of(use_from_device_1),
                        "cudasim: cublasSgemm: the handle was made for "
                        "cuda:0, but cuda:1 is the current device; call "
                        "cudaSetDevice(0) first\n");
    OK(cudaGetLastError()); // a cuBLAS status is no CUDA error
}

static cudaStream_t alien;

static void use_an_alien_stream(void)
{
    STATUS(cublasSscal(handle, 1, &one, da, 1), CUBLAS_STATUS_EXECUTION_FAILED);
}

static void a_stream_of_another_device_fails(void **state)
{
    (void)state;
    OK(cudaSetDevice(1));
    OK(cudaStreamCreate(&alien));
    OK(cudaSetDevice(0));
    OK(cublasSetStream(handle, alien));
    assert_string_equal(stderr_of(use_an_alien_stream),
                        "cudasim: cublasSscal: the handle's stream belongs to "
                        "another device\n");
    OK(cudaStreamDestroy(alien));
    assert_string_equal(stderr_of(use_an_alien_stream),
                        "cudasim: cublasSscal: the handle's stream has been "
                        "destroyed\n");
    OK(cublasSetStream(handle, NULL));
}

/* Copies */

static void strided_copies(void **state)
{
    (void)state;
    float x[] = {1, 2, 3, 4, 5, 6}, got[6] = {0};
    OK(cublasSetVector(3, sizeof(float), x, 2, da, 1)); // 1 3 5
    OK(cublasGetVector(3, sizeof(float), da, 1, got, 2));
    assert_true(got[0] == 1 && got[2] == 3 && got[4] == 5 && got[1] == 0);
    OK(cublasSetMatrix(2, 2, sizeof(float), x, 3, da, 2)); // 1 2, 4 5
    OK(cublasGetMatrix(2, 2, sizeof(float), da, 2, got, 3));
    assert_true(got[0] == 1 && got[1] == 2 && got[3] == 4 && got[4] == 5);
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cublasSetVectorAsync(2, sizeof(float), x, 1, da, 1, stream));
    OK(cublasSetMatrixAsync(1, 2, sizeof(float), x, 2, db, 1, stream));
    OK(cublasGetVectorAsync(2, sizeof(float), da, 1, got, 1, stream));
    OK(cublasGetMatrixAsync(1, 2, sizeof(float), db, 1, got + 2, 1, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaStreamDestroy(stream));
    assert_true(got[0] == 1 && got[1] == 2 && got[2] == 1 && got[3] == 3);
    STATUS(cublasSetVector(3, 0, x, 1, da, 1), CUBLAS_STATUS_INVALID_VALUE);
    STATUS(cublasSetVector(3, 4, x, 0, da, 1), CUBLAS_STATUS_INVALID_VALUE);
    STATUS(cublasSetMatrix(3, 1, 4, x, 2, da, 3), CUBLAS_STATUS_INVALID_VALUE);
    STATUS(cublasGetMatrix(-1, 1, 4, da, 2, x, 3), CUBLAS_STATUS_INVALID_VALUE);
    OK(cublasSetVector(0, 4, x, 1, da, 1));
}

/* Time, counters and faults */

static void calls_return_before_the_work_is_done(void **state)
{
    (void)state;
    cudaEvent_t start, end;
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cublasSetStream(handle, stream));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&end));
    float *x;
    enum { N = 1024 };
    OK(cudaMalloc((void **)&x, 3 * sizeof(float) * N * N));
    OK(cudaMemset(x, 0, 3 * sizeof(float) * N * N));
    OK(cudaDeviceSynchronize());
    OK(cudaEventRecord(start, stream));
    uint64_t before = cudasimNow();
    OK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one, x, N,
                   x + N * N, N, &zero, x + 2 * N * N, N));
    uint64_t call = cudasimNow() - before;
    OK(cudaEventRecord(end, stream));
    STATUS(cudaStreamQuery(stream), cudaErrorNotReady);
    OK(cudaStreamSynchronize(stream));
    uint64_t whole = cudasimNow() - before;
    float ms = 0;
    OK(cudaEventElapsedTime(&ms, start, end));
    // 2 * 1024^3 / (14.13e12 * 0.9) is 169 us, and 6 us for the kernel.
    assert_true(ms > 0.16f && ms < 0.19f);
    assert_true(call < 10000 && whole > 150000);
    OK(cublasSetStream(handle, NULL));
    OK(cudaFree(x));
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(end));
    OK(cudaStreamDestroy(stream));
}

static void half_is_faster_on_tensor_cores(void **state)
{
    (void)state;
    void *x;
    enum { N = 1024 };
    uint64_t times[2];
    OK(cudaMalloc(&x, sizeof(float) * N * N));
    OK(cudaMemset(x, 0, sizeof(float) * N * N));
    for (int i = 0; i < 2; i++) {
        cudaDataType type = i == 0 ? CUDA_R_32F : CUDA_R_16F;
        OK(cudaDeviceSynchronize());
        uint64_t before = cudasimNow();
        OK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N / 2, N, &one, x,
                        type, N, x, type, N, &zero, x, type, N,
                        CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
        OK(cudaDeviceSynchronize());
        times[i] = cudasimNow() - before;
    }
    assert_true(times[1] * 3 < times[0]);
    OK(cudaFree(x));
}

static void library_kernels_are_counted_apart(void **state)
{
    (void)state;
    CudasimDeviceCounters counters;
    float r;
    cudasimResetCounters();
    OK(cublasSdot(handle, 4, da, 1, db, 1, &r));
    OK(cublasSscal(handle, 4, &one, da, 1));
    OK(cudaDeviceSynchronize());
    OK(cudasimGetDeviceCounters(0, &counters));
    assert_int_equal(counters.n_library, 2);
    assert_int_equal(counters.n_launches, 0);
}

static void a_failure_can_be_asked_for(void **state)
{
    (void)state;
    cudasimFailAfter(CUDASIM_FAIL_LIBRARY, 1);
    OK(cublasSscal(handle, 1, &one, da, 1));
    STATUS(cublasSscal(handle, 1, &one, da, 1), CUBLAS_STATUS_EXECUTION_FAILED);
    OK(cublasSscal(handle, 1, &one, da, 1));
    OK(cudaDeviceSynchronize());
}

static void statuses_have_names_and_texts(void **state)
{
    (void)state;
    assert_string_equal(cublasGetStatusName(CUBLAS_STATUS_SUCCESS),
                        "CUBLAS_STATUS_SUCCESS");
    assert_string_equal(cublasGetStatusString(CUBLAS_STATUS_EXECUTION_FAILED),
                        "the function failed to launch on the GPU");
    assert_string_equal(cublasGetStatusString(CUBLAS_STATUS_NOT_SUPPORTED),
                        "the requested functionality is not supported");
    assert_string_equal(cublasGetStatusName((cublasStatus_t)5),
                        "unrecognized status");
    assert_string_equal(cublasGetStatusString((cublasStatus_t)2),
                        "unrecognized status");
}

/* Device 2 is lost by each of these: they run last, on their own devices. */
static void host_memory_faults_the_device(void **state)
{
    (void)state;
    cublasHandle_t other;
    float *x, host[4] = {0}, r;
    OK(cudaSetDevice(2));
    OK(cublasCreate(&other));
    OK(cudaMalloc((void **)&x, 64));
    OK(cublasSaxpy(other, 4, &one, host, 1, x, 1)); // returns first
    STATUS(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    STATUS(cublasSdot(other, 1, x, 1, x, 1, &r),
           CUBLAS_STATUS_EXECUTION_FAILED);
    OK(cublasDestroy(other));
    OK(cudaSetDevice(0));
    cudaGetLastError();
}

static void beyond_the_end_faults_the_device(void **state)
{
    (void)state;
    cublasHandle_t other;
    float *x, r;
    OK(cudaSetDevice(3));
    OK(cublasCreate(&other));
    OK(cudaMalloc((void **)&x, 64));
    STATUS(cublasSdot(other, 17, x, 1, x, 1, &r),
           CUBLAS_STATUS_EXECUTION_FAILED);
    STATUS(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    OK(cublasDestroy(other));
    OK(cudaSetDevice(0));
    cudaGetLastError();
}

static void another_gpus_memory_needs_peer_access(void **state)
{
    (void)state;
    cublasHandle_t other;
    float r, four = 4;
    OK(cudaMemcpy(da, &four, sizeof(four), cudaMemcpyHostToDevice));
    OK(cudaSetDevice(4));
    OK(cublasCreate(&other));
    OK(cudaDeviceEnablePeerAccess(0, 0));
    OK(cublasSnrm2(other, 1, da, 1, &r));
    assert_true(r == 4);
    OK(cudaDeviceDisablePeerAccess(0));
    STATUS(cublasSnrm2(other, 1, da, 1, &r), CUBLAS_STATUS_EXECUTION_FAILED);
    STATUS(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    OK(cublasDestroy(other));
    OK(cudaSetDevice(0));
    cudaGetLastError();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handle_has_its_modes),
        cmocka_unit_test(a_handle_has_its_stream_and_workspace),
        cmocka_unit_test(no_handle_is_not_initialized),
        cmocka_unit_test(the_device_is_that_of_create),
        cmocka_unit_test(a_stream_of_another_device_fails),
        cmocka_unit_test(strided_copies),
        cmocka_unit_test(calls_return_before_the_work_is_done),
        cmocka_unit_test(half_is_faster_on_tensor_cores),
        cmocka_unit_test(library_kernels_are_counted_apart),
        cmocka_unit_test(a_failure_can_be_asked_for),
        cmocka_unit_test(statuses_have_names_and_texts),
        cmocka_unit_test(host_memory_faults_the_device),
        cmocka_unit_test(beyond_the_end_faults_the_device),
        cmocka_unit_test(another_gpus_memory_needs_peer_access),
    };
    return cmocka_run_group_tests(tests, make_handle, drop_handle);
}
