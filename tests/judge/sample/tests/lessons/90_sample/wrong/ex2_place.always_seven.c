#include "workbook/machine.h"
#include <stdio.h>

int place(char *out, int size)
{
    snprintf(out, (size_t)size, "cuda:7");
    return machine_gpus();
}
