#include "lesson/probe_plain.h" // defines: probe_*, fact_*
#include <inttypes.h>
#include <stdio.h>

int64_t moves_until_it_pays(int64_t plain_ns, int64_t pinned_ns,
                            int64_t pin_ns);

static void ask(int64_t plain_ns, int64_t pinned_ns, int64_t pin_ns)
{
    char name[128];
    snprintf(name, sizeof name,
             "moves of %" PRId64 " ns plain, %" PRId64 " pinned; %" PRId64
             " to pin",
             plain_ns, pinned_ns, pin_ns);
    fact_int(name, moves_until_it_pays(plain_ns, pinned_ns, pin_ns));
}

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    ask(10346000, 5191000, 20008000); // the program what_it_costs
    ask(100, 60, 79);
    ask(100, 60, 80); // two moves are as fast: the third is the first to pay
    ask(100, 60, 0);
    ask(50, 50, 10);
    ask(40, 50, 10);
    ask(9000000000, 1000000000, 20000000000); // more than an int holds
    for (int i = 0; i < 6; i++) {
        int64_t pinned_ns = probe_int(1, 1000);
        int64_t saved_ns = probe_int(1, 50);
        int64_t n = probe_int(1, 40); // often a whole number of moves
        ask(pinned_ns + saved_ns, pinned_ns,
            n * saved_ns + (i % 2) * probe_int(0, 20));
    }
    return probe_end();
}
