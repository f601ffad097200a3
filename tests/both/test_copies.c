/* Copies on any GPU, simulated or real. */
#include "alone.h"

enum { N = 1000 };

static void fill(float *host, float first)
{
    for (int i = 0; i < N; i++)
        host[i] = first + (float)i;
}

static void every_direction(void)
{
    float a[N], b[N];
    float *p, *q;
    fill(a, 1);
    OK(cudaMalloc((void **)&p, sizeof a));
    OK(cudaMalloc((void **)&q, sizeof a));
    OK(cudaMemcpy(p, a, sizeof a, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(q, p, sizeof a, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy(b, q, sizeof a, cudaMemcpyDeviceToHost));
    EQUAL(memcmp(a, b, sizeof a), 0);
    fill(a, 2);
    OK(cudaMemcpy(b, a, sizeof a, cudaMemcpyHostToHost));
    EQUAL(memcmp(a, b, sizeof a), 0);
}

static void default_asks_the_addresses(void)
{
    float a[N], b[N];
    float *p, *q;
    needs_gpus(2);
    fill(a, 3);
    OK(cudaMalloc((void **)&p, sizeof a));
    OK(cudaSetDevice(1));
    OK(cudaMalloc((void **)&q, sizeof a));
    OK(cudaMemcpy(p, a, sizeof a, cudaMemcpyDefault));
    OK(cudaMemcpy(q, p, sizeof a, cudaMemcpyDefault)); // to another device
    OK(cudaMemcpy(b, q, sizeof a, cudaMemcpyDefault));
    EQUAL(memcmp(a, b, sizeof a), 0);
}

static void parts_of_an_allocation(void)
{
    float a[N], b[10];
    float *p;
    fill(a, 0);
    OK(cudaMalloc((void **)&p, sizeof a));
    OK(cudaMemcpy(p, a, sizeof a, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(b, p + 500, sizeof b, cudaMemcpyDeviceToHost));
    TRUE(b[0] == 500 && b[9] == 509);
    OK(cudaMemcpy(p + N, a, 0, cudaMemcpyHostToDevice)); // nothing, at the end
}

static void odd_sizes_and_places(void)
{
    unsigned char host[300], back[300];
    unsigned char *p;
    for (int i = 0; i < 300; i++)
        host[i] = (unsigned char)i;
    OK(cudaMalloc((void **)&p, 300));
    for (size_t at = 0; at < 17; at++) {
        for (size_t n = 1; n < 283; n += 31) {
            memset(back, 0, sizeof back);
            OK(cudaMemcpy(p + at, host, n, cudaMemcpyHostToDevice));
            OK(cudaMemcpy(back, p + at, n, cudaMemcpyDeviceToHost));
            EQUAL(memcmp(host, back, n), 0);
            EQUAL(back[n], 0);
        }
    }
}

static void what_is_refused(void)
{
    float host[N];
    float *p;
    OK(cudaMalloc((void **)&p, sizeof host));
    EQUAL(cudaMemcpy(p, host, 8, (enum cudaMemcpyKind) - 1),
          cudaErrorInvalidMemcpyDirection);
    EQUAL(cudaMemcpy(NULL, host, 8, cudaMemcpyHostToDevice),
          cudaErrorInvalidValue);
    EQUAL(cudaMemcpy(p, NULL, 8, cudaMemcpyHostToDevice),
          cudaErrorInvalidValue);
    OK(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice));
    EQUAL(cudaMemset(NULL, 0, 8), cudaErrorInvalidValue);
    OK(cudaMemset(p, 0, 0));
    OK(cudaDeviceSynchronize()); // none of these is sticky
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
    TRUE(pitch >= 6);
    OK(cudaMemcpy2D(p, pitch, host, 8, 6, 5, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2D(back, 8, p, pitch, 6, 5, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 8; j++)
            EQUAL(back[i][j], j < 6 ? 10 * i + j : 0);
    EQUAL(cudaMemcpy2D(p, 5, host, 8, 6, 5, cudaMemcpyHostToDevice),
          cudaErrorInvalidPitchValue);
}

/* The source may change as soon as the call has returned. */
static void a_small_pageable_source_is_taken_at_once(void)
{
    float host[N];
    float *p;
    OK(cudaMalloc((void **)&p, sizeof host));
    fill(host, 1);
    OK(cudaMemcpyAsync(p, host, sizeof host, cudaMemcpyHostToDevice, 0));
    host[5] = -1;
    TRUE(float_at(p + 5) == 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(every_direction),
        ALONE(default_asks_the_addresses),
        ALONE(parts_of_an_allocation),
        ALONE(odd_sizes_and_places),
        ALONE(what_is_refused),
        ALONE(rows_with_a_pitch),
        ALONE(a_small_pageable_source_is_taken_at_once),
    };
    return cmocka_run_group_tests_name("both copies", tests, NULL, NULL);
}
