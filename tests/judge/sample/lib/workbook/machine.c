/* The sample's library: a machine that has a name and some GPUs. */
#include "workbook/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *machine_name(void)
{
    const char *name = getenv("SIM_MACHINE");
    return name ? name : "v100x8";
}

int machine_gpus(void)
{
    const char *count = strrchr(machine_name(), 'x');
    if (count && atoi(count + 1) > 0)
        return atoi(count + 1);
    return strcmp(machine_name(), "none") == 0 ? 0 : 1;
}

void machine_touch(int gpu)
{
    if (gpu >= 0 && gpu < machine_gpus())
        return;
    fprintf(stderr, "sim: there is no GPU %d on %s\n", gpu, machine_name());
    abort();
}
