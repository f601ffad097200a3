/* seeds T11: cut into ceil-sized pieces, GPUs stay idle. */
#include "lesson/probe_plain.h" // defines: probe_*, fact_*
#include <inttypes.h>
#include <stdio.h>

int busy_gpus(int64_t size, int n);

static void ask(int64_t size, int n)
{
    char name[64];
    snprintf(name, sizeof name, "busy GPUs: %" PRId64 " samples on %d GPUs",
             size, n);
    fact_int(name, busy_gpus(size, n));
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    ask(16, 2);
    ask(1, 8);
    ask(9, 8);
    ask(30000000001, 8); // more than an int holds
    for (int i = 0; i < 5; i++)
        ask(probe_int(1, 40), (int)probe_int(1, 8));
    return probe_end();
}
