/* Copies: every direction, both promises, and what is refused. */
#include "alone.h"
#include "cudasim.h" // defines: what the simulator adds

enum { N = 1000 };

static void fill(float *host, float first)
{
    for (int i = 0; i < N; i++)
        host[i] = first + (float)i;
}

static void what_is_refused(void)
{
    float host[N];
    float *p;
    OK(cudaMalloc((void **)&p, sizeof host));
    EQUAL(cudaMemcpy(p, host, 8, (enum cudaMemcpyKind) - 1),
          cudaErrorInvalidMemcpyDirection);
    EQUAL(cudaMemcpy(p, host, 8, (enum cudaMemcpyKind)5),
          cudaErrorInvalidMemcpyDirection);
    EQUAL(cudaMemcpy(NULL, host, 8, cudaMemcpyHostToDevice),
          cudaErrorInvalidValue);
    EQUAL(cudaMemcpy(p, NULL, 8, cudaMemcpyHostToDevice),
          cudaErrorInvalidValue);
    OK(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice));
    EQUAL(cudaMemcpy(p, host, sizeof host + 1, cudaMemcpyHostToDevice),
          cudaErrorInvalidValue);
    EQUAL(cudaMemcpy(host, p + 1, sizeof host, cudaMemcpyDeviceToHost),
          cudaErrorInvalidValue);
    OK(cudaFree(p));
    EQUAL(cudaMemcpy(host, p, 8, cudaMemcpyDeviceToHost),
          cudaErrorInvalidValue);
    EQUAL(cudaMemcpy(host, p, 8, cudaMemcpyDefault), cudaErrorInvalidValue);
    OK(cudaDeviceSynchronize()); // none of these is sticky
}

/* CUDA leaves this undefined; here it is an error, every time. */
static void a_kind_that_contradicts_its_pointers(void)
{
    float host[N];
    float *p;
    OK(cudaMalloc((void **)&p, sizeof host));
    EQUAL(cudaMemcpy(p, host, 8, cudaMemcpyDeviceToHost),
          cudaErrorInvalidValue);
    EQUAL(cudaMemcpy(host, p, 8, cudaMemcpyHostToDevice),
          cudaErrorInvalidValue);
    EQUAL(cudaMemcpy(p, host, 8, cudaMemcpyDeviceToDevice),
          cudaErrorInvalidValue);
    EQUAL(cudaMemcpy(p, p, 8, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    EQUAL(cudaMemcpy(host, p, 8, cudaMemcpyHostToHost), cudaErrorInvalidValue);
}

static void rows_with_a_pitch(void)
{
    unsigned char host[5][8], back[5][8];
    unsigned char *p;
    size_t pitch;
    memset(back, 0, sizeof back);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 8; j++)
            host[i][j] = (unsigned char)(10 * i + j);
    OK(cudaMallocPitch((void **)&p, &pitch, 6, 5));
    OK(cudaMemcpy2D(p, pitch, host, 8, 6, 5, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2D(back, 8, p, pitch, 6, 5, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 8; j++)
            EQUAL(back[i][j], j < 6 ? 10 * i + j : 0);
    EQUAL(cudaMemcpy2D(p, 5, host, 8, 6, 5, cudaMemcpyHostToDevice),
          cudaErrorInvalidPitchValue);
    const size_t far = (size_t)1 << 31; // past memPitch
    EQUAL(cudaMemcpy2D(p, far, host, 8, 6, 5, cudaMemcpyHostToDevice),
          cudaErrorInvalidPitchValue);
    EQUAL(cudaMemcpy2D(p, 8, host, far, 6, 5, cudaMemcpyHostToDevice),
          cudaErrorInvalidPitchValue);
    OK(cudaMemcpy2D(p, far, host, far, 6, 1, cudaMemcpyHostToDevice));
    EQUAL(cudaMemcpy2D(p, 8, host, 8, 1, SIZE_MAX, cudaMemcpyHostToDevice),
          cudaErrorInvalidValue);
    EQUAL(cudaMemcpy2D(p, pitch, host, 8, 6, 6, cudaMemcpyHostToDevice),
          cudaErrorInvalidValue); // one row too many
    OK(cudaMemcpy2D(p, pitch, host, 8, 0, 5, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DAsync(back, 8, p, pitch, 6, 5, cudaMemcpyDeviceToHost, 0));
}

static void filling(void)
{
    unsigned char host[64];
    unsigned char *p, *locked;
    OK(cudaMalloc((void **)&p, 64));
    OK(cudaMemset(p, 0x1234, 64)); // the low byte
    OK(cudaMemset2D(p + 1, 16, 7, 2, 4));
    OK(cudaMemcpy(host, p, 64, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        EQUAL(host[i], i % 16 == 1 || i % 16 == 2 ? 7 : 0x34);
    EQUAL(cudaMemset(host, 0, 8), cudaErrorInvalidValue);
    EQUAL(cudaMemset(NULL, 0, 8), cudaErrorInvalidValue);
    EQUAL(cudaMemset(p, 0, 65), cudaErrorInvalidValue);
    EQUAL(cudaMemset2D(p, 16, 0, 17, 2), cudaErrorInvalidValue);
    OK(cudaMemset(p, 0, 0));
    OK(cudaMallocHost((void **)&locked, 8));
    OK(cudaMemset(locked, 9, 8));
    EQUAL(locked[7], 9); // done when the call returns
}

static void a_page_locked_copy_runs_when_waited_for(void)
{
    float *host;
    float *p = device_floats(N, 0);
    OK(cudaMallocHost((void **)&host, N * sizeof(float)));
    fill(host, 1);
    OK(cudaMemcpyAsync(p, host, N * sizeof(float), cudaMemcpyHostToDevice, 0));
    host[5] = -1; // too early: the copy has not been made yet
    OK(cudaStreamSynchronize(0));
    TRUE(float_at(p + 5) == -1);
    host[6] = -1;
    OK(cudaMemcpyAsync(host, p, N * sizeof(float), cudaMemcpyDeviceToHost, 0));
    TRUE(host[6] == -1); // not here yet
    OK(cudaStreamSynchronize(0));
    TRUE(host[6] == 7);
}

static void a_small_pageable_source_is_taken_at_once(void)
{
    float host[N];
    float *p = device_floats(N, 0);
    fill(host, 1);
    OK(cudaMemcpyAsync(p, host, sizeof host, cudaMemcpyHostToDevice, 0));
    host[5] = -1;
    TRUE(float_at(p + 5) == 6);
}

static void a_large_pageable_copy_holds_the_caller(void)
{
    size_t bytes = 1 << 20;
    float *host = malloc(bytes);
    float *p;
    OK(cudaMalloc((void **)&p, bytes));
    memset(host, 0, bytes);
    OK(cudaMemcpyAsync(p, host, bytes, cudaMemcpyHostToDevice, 0));
    OK(cudaStreamQuery(0)); // nothing is left to do
    host[0] = 1;
    OK(cudaMemcpyAsync(host, p, bytes, cudaMemcpyDeviceToHost, 0));
    TRUE(host[0] == 0); // pageable: complete on return
    free(host);
}

static void a_copy_on_another_devices_stream(void)
{
    cudaStream_t stream;
    float *p = device_floats(N, 4);
    float host[N];
    OK(cudaSetDevice(1));
    OK(cudaStreamCreate(&stream));
    OK(cudaSetDevice(0));
    OK(cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, stream));
    TRUE(host[9] == 4);
}

static void copies_are_counted_by_link(void)
{
    CudasimLinkCounters c;
    float host[N];
    float *p, *q;
    OK(cudaMalloc((void **)&p, sizeof host));
    OK(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(p, host, 8, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(host, p, 12, cudaMemcpyDeviceToHost));
    OK(cudaMemcpy(p, p + 10, 16, cudaMemcpyDeviceToDevice));
    OK(cudaSetDevice(1));
    OK(cudaMalloc((void **)&q, sizeof host));
    OK(cudaMemcpyPeer(q, 1, p, 0, 20));
    OK(cudaDeviceSynchronize());
    OK(cudasimGetLinkCounters(CUDASIM_HOST, 0, &c));
    EQUAL(c.n_copies, 2);
    EQUAL(c.copied_bytes, sizeof host + 8);
    TRUE(c.busy_ns > 0);
    OK(cudasimGetLinkCounters(0, CUDASIM_HOST, &c));
    EQUAL(c.copied_bytes, 12);
    OK(cudasimGetLinkCounters(0, 0, &c));
    EQUAL(c.copied_bytes, 16);
    OK(cudasimGetLinkCounters(0, 1, &c));
    EQUAL(c.copied_bytes, 20);
    OK(cudasimGetLinkCounters(1, 0, &c));
    EQUAL(c.n_copies, 0);
    EQUAL(cudasimGetLinkCounters(0, 9, &c), cudaErrorInvalidDevice);
    EQUAL(cudasimGetLinkCounters(0, 0, NULL), cudaErrorInvalidValue);
}

static void the_nth_copy_fails(void)
{
    float host[4] = {0};
    float *p;
    OK(cudaMalloc((void **)&p, sizeof host));
    cudasimFailAfter(CUDASIM_FAIL_COPY, 1);
    OK(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
    EQUAL(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice),
          cudaErrorLaunchFailure);
    EQUAL(cudaDeviceSynchronize(), cudaErrorLaunchFailure); // and sticks
}

int main(void)
{
    const struct CMUnitTest tests[] = {

        ALONE(what_is_refused),
        ALONE(a_kind_that_contradicts_its_pointers),
        ALONE(rows_with_a_pitch),
        ALONE(filling),
        ALONE(a_page_locked_copy_runs_when_waited_for),
        ALONE(a_small_pageable_source_is_taken_at_once),
        ALONE(a_large_pageable_copy_holds_the_caller),
        ALONE(a_copy_on_another_devices_stream),
        ALONE(copies_are_counted_by_link),
        ALONE(the_nth_copy_fails),

    };
    return cmocka_run_group_tests_name("sim copies", tests, NULL, NULL);
}
