/* seeds 4.9, seeds T11: how a batch is cut. */
#include "lesson/probe_plain.h" // defines: probe_*, fact_*
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int my_chunks(int64_t size, int n, int64_t *sizes);

enum { ROOM = 16, MARK = -77 };

static bool strayed;

/* Room for n sizes, and a mark before the first and behind the last. */
static void ask(int64_t size, int n)
{
    int64_t room[1 + ROOM + 1] = {MARK}, *sizes = room + 1;
    sizes[n] = MARK;
    char name[64], pieces[256] = "";
    int count = my_chunks(size, n, sizes);
    for (int i = 0; i < count && i < n; i++)
        sprintf(pieces + strlen(pieces), "%s%" PRId64, i ? " " : "", sizes[i]);
    snprintf(name, sizeof name, "the pieces of %" PRId64 " samples on %d GPUs",
             size, n);
    fact_text(name, pieces);
    strayed |= sizes[-1] != MARK || sizes[n] != MARK;
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    ask(10, 4);
    ask(5, 4);
    ask(30000000001, 8); // more than an int holds
    for (int i = 0; i < 6; i++)
        ask(probe_int(1, 40), (int)probe_int(1, 8));
    fact_bool("something was written outside the n sizes", strayed);
    return probe_end();
}
