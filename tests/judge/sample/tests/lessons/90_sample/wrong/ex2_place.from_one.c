#include "workbook/machine.h"
#include <stdio.h>

int place(char *out, int size)
{
    snprintf(out, (size_t)size, "cuda:%d", machine_gpus());
    return machine_gpus();
}
