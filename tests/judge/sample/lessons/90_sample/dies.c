/* Lesson 90, second program: it dies as its table says. */
#include "workbook/machine.h" // defines: machine_touch

#include <stdio.h>

int main(void)
{
    printf("touching GPU 99\n"); // expect: touching GPU 99
    fflush(stdout);
    machine_touch(99);
    return 0;
}
