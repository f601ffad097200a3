/* Lesson 90: a sample. */
#include "workbook/machine.h" // defines: machine_name, machine_gpus

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    if (machine_gpus() < 1) {
        printf("this lesson needs a GPU, and there is none\n");
        return 77;
    }
    //> first
    printf("%d GPUs on %s\n", machine_gpus(), machine_name());
    // expect: {bytes:8} GPUs on {name:v100x8}
    //< first
    printf("\n"); // expect:
    printf("%p\n", (void *)&machine_gpus);
    // expect: {addr}
    if (getenv("SIM_LOG"))
        fprintf(stderr, "log: done\n");
    return 0;
}
