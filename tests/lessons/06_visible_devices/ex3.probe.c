/* seeds 3.12, seeds 4.6: the list that CUDA reads, read by hand. */
#include "device/device.h" // defines: cuda_device_count
#include "lesson/probe.h"  // defines: probe_*, fact_*
#include <stdio.h>
#include <stdlib.h>

int my_parse_visible(const char *value, int n_gpus, int *physical);

enum { ROOM = 64, MARK = -77 };

static bool strayed;

/* One list: how many, and which, as text. */
static void ask(const char *value, int n_gpus)
{
    int room[1 + ROOM + 1] = {MARK}, *physical = room + 1;
    physical[n_gpus] = MARK;
    char name[96], list[ROOM * 4] = "";
    int n = my_parse_visible(value, n_gpus, physical), at = 0;
    for (int i = 0; i < n && i < n_gpus; i++)
        at += snprintf(list + at, sizeof list - (size_t)at, "%s%d",
                       i ? " " : "", physical[i] % 1000);
    snprintf(name, sizeof name, "%s%s%s with %d GPUs", value ? "\"" : "",
             value ? value : "not set", value ? "\"" : "", n_gpus);
    char told[sizeof list + 32];
    snprintf(told, sizeof told, "%d visible%s%s", n, *list ? ": " : "", list);
    fact_text(name, told);
    strayed |= physical[-1] != MARK || physical[n_gpus] != MARK;
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    int n = (int)probe_int(4, 8), a = (int)probe_int(0, n - 1);
    int b = (a + 1 + (int)probe_int(0, n - 3)) % n;
    char value[64];
    ask(NULL, n);
    ask("", n);
#define ASK(...) (snprintf(value, sizeof value, __VA_ARGS__), ask(value, n))
    ASK("%d", a);
    ASK("%d,%d", b, a);
    ASK("%d, %d", b, a);
    ASK("%d,%d,%d", a, n, b); // no such GPU
    ASK("%d,%d,%d", a, n + (int)probe_int(1, 90), b);
    ASK("%d,4294967296,%d", a, b); // 0, where an int has cut it
    ASK("%d,-1,%d", a, b);
    ASK("-1");
    ASK("%d,none,%d", a, b);
    ASK("%d,,%d", a, b);
    ASK("%d,", a);
    ASK("%dgpu%d,%dampere", a, b, b); // letters after a number
    ASK("%d,%d", a, a);               // twice
    ASK("%d,%d,%d", a, b, a);
    ASK("%d,-1,%d", a, a); // twice, but the list had ended
    ask("10,9,8", 12);
    ask("3,1,2,0", 4); // all there are: no room is left
    fact_bool("something was written outside the n_gpus indices", strayed);
    ask("010,0x3,1", 12); // in base 10, whatever it looks like
    const char *real = getenv("CUDA_VISIBLE_DEVICES");
    int physical[ROOM];
    fact_bool("as many as CUDA itself finds on this machine",
              my_parse_visible(real, 8, physical) == cuda_device_count());
    return probe_end();
}
