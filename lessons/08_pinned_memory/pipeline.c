/* Lesson 08, beside the worked program: copies and arithmetic at once.
 *
 * Six batches that were loaded into pinned memory are sent to a GPU, one by
 * one, and each is worked on there. Three ways; the numbers are the same.
 *
 * run   build/sim/lessons/08_pinned_memory/pipeline   (machine: v100x8)
 */
#include "device/clock.h"      // defines: clock_now_ns, clock_word
#include "device/device.h"     // defines: device_cuda, cuda_synchronize
#include "device/stream.h"     // defines: stream_new, stream_use, stream_wait
#include "lesson/lesson.h"     // defines: lesson_begin, lesson_end, say
#include "tensor/create.h"     // defines: tensor_ones
#include "tensor/functional.h" // defines: tensor_matmul
#include "tensor/scope.h"      // defines: scope_open, scope_close
#include <inttypes.h>

enum { BATCHES = 6, ROWS = 128, WIDTH = 1024 };

static Tensor *batches[BATCHES], *weight;

static Tensor *work(Tensor *there)
{
    return tensor_matmul(tensor_matmul(there, weight), weight);
}

//> one_by_one
static void one_by_one(void)
{
    for (int i = 0; i < BATCHES; i++)
        work(tensor_to(batches[i], device_cuda(0)));
}
//< one_by_one

//> one_queue
static void one_queue(void)
{
    for (int i = 0; i < BATCHES; i++)
        work(tensor_to_non_blocking(batches[i], device_cuda(0)));
}
//< one_queue

//> two_queues
static Stream copies;

static void two_queues(void)
{
    Stream compute = stream_current(0);
    for (int i = 0; i < BATCHES; i++) {
        stream_use(copies);
        Tensor *there = tensor_to_non_blocking(batches[i], device_cuda(0));
        stream_use(compute);
        stream_wait(compute, copies); // this batch is there, then
        work(there);
    }
}
//< two_queues

static void measure(const char *what, void (*way)(void))
{
    scope_open();
    int64_t start = clock_now_ns();
    way();
    int64_t issued = clock_now_ns() - start;
    cuda_synchronize(0);
    int64_t done = clock_now_ns() - start;
    say("%-10s %8" PRId64 " %8" PRId64, what, issued / 1000, done / 1000);
    scope_close();
}

int main(void)
{
    lesson_begin("08_pinned_memory");
    need_devices(1);
    weight = tensor_ones(FLOAT32, shape(WIDTH, WIDTH), device_cuda(0));
    for (int i = 0; i < BATCHES; i++)
        batches[i] = tensor_pin_memory(
            tensor_full(FLOAT32, shape(ROWS, WIDTH), i, device_cpu()));
    stream_new(0, &copies);
    work(tensor_to(batches[0], device_cuda(0))); // sets CUDA and cuBLAS up
    say("microseconds, %s", clock_word()); // expect: microseconds, simulated
    say("%-10s %8s %8s", "", "issued", "done");
    // expect:              issued     done
    measure("one by one", one_by_one);
    // expect: one by one      {ns:618}      {ns:668}
    //> second
    measure("one queue", one_queue);
    // expect: one queue        {ns:85}      {ns:602}
    //< second
    //> third
    measure("two queues", two_queues);
    // expect: two queues       {ns:94}      {ns:376}
    //< third
    stream_destroy(copies);
    return lesson_end();
}
