/* seeds 4.12: most free memory first; of equals the higher index. */
#include "lesson/probe.h" // defines: probe_*, fact_*
#include <stdio.h>
#include <string.h>

void order_by_free(const int *free_mib, int n, int *order);

enum { MOST = 8, MARK = -77 };

static bool strayed;

static void ask(const char *name, const int *free_mib, int n)
{
    int given[MOST] = {0}, room[1 + MOST + 1], *order = room + 1, at = 0;
    char list[MOST * 12] = "";
    memcpy(given, free_mib, (size_t)n * sizeof *given);
    for (int i = 0; i < MOST + 2; i++)
        room[i] = MARK;
    order_by_free(given, n, order);
    for (int i = 0; i < n; i++)
        at += snprintf(list + at, sizeof list - (size_t)at, "%s%d",
                       i ? "," : "", order[i]);
    char what[96];
    snprintf(what, sizeof what, "the order for %s", name);
    fact_text(what, list);
    snprintf(what, sizeof what, "free_mib is as it was, for %s", name);
    strayed |= order[-1] != MARK || order[n] != MARK;
    fact_bool(what, memcmp(given, free_mib, (size_t)n * sizeof *given) == 0);
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    ask("10362, 10058, 9990, 9990", (int[]){10362, 10058, 9990, 9990}, 4);
    ask("one GPU", (int[]){(int)probe_int(1, 9000)}, 1);
    int random[MOST], equal[MOST], rising[MOST];
    int low = (int)probe_int(0, 9000);
    for (int i = 0; i < MOST; i++) {
        random[i] = (int)probe_int(0, 4) * 1000; // with equals among them
        equal[i] = low;
        rising[i] = low + 100 * i;
    }
    ask("eight GPUs", random, MOST);
    ask("five that are alike", equal, 5);
    ask("eight of which the last has most", rising, MOST);
    fact_bool("something was written outside the n indices", strayed);
    return probe_end();
}
