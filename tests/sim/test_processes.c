/* Host threads and forked processes. */
#include "alone.h"

#include <pthread.h>

enum { N_THREADS = 8, ROUNDS = 50, N = 64 };

static void *work_on_own_device(void *out)
{
    int device = *(int *)out;
    int now;
    OK(cudaSetDevice(device));
    float *p = device_floats(N, 1);
    cudaStream_t s;
    OK(cudaStreamCreate(&s));
    for (int i = 0; i < ROUNDS; i++) {
        OK(scale(p, p, N, i % 2 ? 0.5f : 2.0f, s));
        if (i % 10 == 0)
            OK(cudaStreamSynchronize(s));
    }
    OK(scale(p, p, N, (float)device, s));
    OK(cudaStreamSynchronize(s));
    OK(cudaGetDevice(&now));
    EQUAL(now, device); // the current device is the thread's own
    TRUE(float_at(p) == (float)device);
    OK(cudaStreamDestroy(s));
    OK(cudaFree(p));
    *(int *)out = 0;
    return NULL;
}

static void a_thread_for_each_device(void)
{
    pthread_t threads[N_THREADS];
    int devices[N_THREADS];
    int now;
    for (int i = 0; i < N_THREADS; i++) {
        devices[i] = i;
        EQUAL(
            pthread_create(&threads[i], NULL, work_on_own_device, &devices[i]),
            0);
    }
    for (int i = 0; i < N_THREADS; i++) {
        pthread_join(threads[i], NULL);
        EQUAL(devices[i], 0);
    }
    OK(cudaGetDevice(&now));
    EQUAL(now, 0);
}

/* A host function may wait for another thread that makes CUDA calls. */
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t knock = PTHREAD_COND_INITIALIZER;
static bool open_door;

static void CUDART_CB wait_at_door(void *data)
{
    (void)data;
    pthread_mutex_lock(&door);
    while (!open_door)
        pthread_cond_wait(&knock, &door);
    pthread_mutex_unlock(&door);
}

static void *open_it(void *unused)
{
    void *p;
    OK(cudaMalloc(&p, 64)); // while the other thread is in wait_at_door
    pthread_mutex_lock(&door);
    open_door = true;
    pthread_cond_signal(&knock);
    pthread_mutex_unlock(&door);
    OK(cudaFree(p)); // waits for the device, so for the host function
    return unused;
}

static void a_host_function_that_waits(void)
{
    pthread_t thread;
    OK(cudaLaunchHostFunc(0, wait_at_door, NULL));
    EQUAL(pthread_create(&thread, NULL, open_it, NULL), 0);
    OK(cudaStreamSynchronize(0));
    pthread_join(thread, NULL);
}

static void *use_per_thread_stream(void *out)
{
    unsigned long long *id = out;
    OK(cudaStreamGetId(cudaStreamPerThread, id));
    return NULL;
}

static void each_thread_has_its_stream(void)
{
    pthread_t thread;
    unsigned long long mine, other, again;
    OK(cudaStreamGetId(cudaStreamPerThread, &mine));
    EQUAL(pthread_create(&thread, NULL, use_per_thread_stream, &other), 0);
    pthread_join(thread, NULL);
    OK(cudaStreamGetId(cudaStreamPerThread, &again));
    TRUE(mine != other);
    EQUAL(mine, again);
}

/* Forking */

static int child_of(void (*body)(void))
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        body();
        _exit(0);
    }
    waitpid(child, &status, 0);
    return status;
}

static void cannot_use_cuda(void)
{
    int n;
    void *p;
    EQUAL(cudaMalloc(&p, 8), cudaErrorInitializationError);
    EQUAL(cudaGetDeviceCount(&n), cudaErrorInitializationError);
    EQUAL(cudaDeviceSynchronize(), cudaErrorInitializationError);
    EQUAL(cudaGetLastError(), cudaErrorInitializationError);
    EQUAL(strcmp(cudaGetErrorString(cudaErrorInitializationError),
                 "initialization error"),
          0);
}

static void a_child_of_a_process_that_used_cuda(void)
{
    float *p = device_floats(8, 1);
    EQUAL(child_of(cannot_use_cuda), 0);
    TRUE(float_at(p) == 1); // the parent goes on
}

static void uses_cuda(void)
{
    float *p = device_floats(8, 2);
    TRUE(float_at(p) == 2);
}

static void a_child_of_a_process_that_did_not(void)
{
    EQUAL(child_of(uses_cuda), 0);
    EQUAL(child_of(uses_cuda), 0);
    uses_cuda();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(a_thread_for_each_device),
        ALONE(a_thread_for_each_device, "SIM_ORDER=adversarial"),
        ALONE(a_host_function_that_waits),
        ALONE(each_thread_has_its_stream),
        ALONE(a_child_of_a_process_that_used_cuda),
        ALONE(a_child_of_a_process_that_did_not),
    };
    return cmocka_run_group_tests_name("sim processes", tests, NULL, NULL);
}
