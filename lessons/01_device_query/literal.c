/* Lesson 01, beside the worked program: a device's name in the code.
 *
 * Four ways to pick a device, the same four on every machine. Each way makes
 * one tensor there, or says why it cannot.
 *
 * run   build/sim/lessons/01_device_query/literal   (machines: v100x8, t4,
 * none)
 */
#include "device/device.h" // defines: device_cuda, try_gpu
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say, show
#include "tensor/create.h" // defines: tensor_ones

static void use(const char *how, Device device)
{
    say("%s: %s", how, device_str(device).text);
    show(tensor_ones(FLOAT32, shape(2), device));
}

int main(void)
{
    lesson_begin("01_device_query");
    //> literal
    use("a name in the code", device_cuda(1));
    //< literal

    //> available
    Device hopeful = cuda_is_available() ? device_cuda(7) : device_cpu();
    use("available, so index 7", hopeful); // is one enough?
    //< available

    //> counted
    Device counted = cuda_device_count() > 7 ? device_cuda(7) : device_cpu();
    use("counted first", counted);
    //< counted

    //> handle
    Device handle = try_gpu(0); // chosen once, at the top of a program
    use("one handle", handle);
    //< handle
    return lesson_end();
}
