/* Lesson 01: which devices are there?
 *
 * You ask the questions that every program asks first: is there a GPU, how
 * many, what are they called, and which one is current. None of them fails on
 * a machine without a GPU, except those that need one to answer.
 *
 * run   build/sim/lessons/01_device_query/lesson   (machine: v100x8)
 * book  book/01_device_query.md
 */
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say
#include "device/device.h" // defines: cuda_device_count, cuda_device_name

int main(void)
{
    lesson_begin("01_device_query");
    //> cpu
    show_device(device_cpu()); // always there
    // expect: device(type='cpu')
    //< cpu

    //> count
    say("%s", py_bool(cuda_is_available())); // is there at least one GPU?
    say("%d", cuda_device_count());
    // expect: True
    // expect: 8
    //< count

    //> name
    const char *name = cuda_device_name(0);
    if (name)
        say("'%s'", name);
    else
        show_failure(); // a name needs a GPU
    // expect: 'Tesla V100-PCIE-32GB'
    //< name

    //> current
    int current = cuda_current_device(); // an index, counted from 0
    if (current >= 0)
        say("%d", current);
    else
        show_failure();
    // expect: 0
    //< current

    //> each
    for (int i = 0; i < cuda_device_count(); i++)
        say("index %d: %s", i, cuda_device_name(i));
    // expect: index 0: Tesla V100-PCIE-32GB
    // expect: index 1: Tesla V100-PCIE-32GB
    // expect: index 2: Tesla V100-PCIE-32GB
    // expect: index 3: Tesla V100-PCIE-32GB
    // expect: index 4: Tesla V100-PCIE-32GB
    // expect: index 5: Tesla V100-PCIE-32GB
    // expect: index 6: Tesla V100-PCIE-32GB
    // expect: index 7: Tesla V100-PCIE-32GB
    //< each

    //> absent
    if (!cuda_device_name(cuda_device_count())) // one past the last index
        show_failure();
    // expect: AssertionError: Invalid device id
    //< absent
    return lesson_end();
}
