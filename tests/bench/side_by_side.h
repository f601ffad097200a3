/* Two ways of doing the same thing, timed in turn in one run.
 *
 * What a noisy machine does to one it does to the other, so their ratio means
 * something where their times do not. Each round runs both, in changing order;
 * the figures are medians over the rounds.
 */
#ifndef BENCH_SIDE_BY_SIDE_H
#define BENCH_SIDE_BY_SIDE_H

#include <stdbool.h>

/* A benchmark's first call: with --quick it runs one round, of smaller things,
 * which shows that it works and nothing of speed. Is it so? */
bool bench_begin(int argc, char **argv);

typedef void (*Work)(void *context); // does its thing `n` times; see measure()

typedef struct Pair {
    const char *name;         // what is compared
    const char *ours, *other; // the two, in a word or two
    Work do_ours, do_other;
    void *context;
    int n;           // how often a call of the two does it
    const char *aim; // what we want, in words: "at most 1.3"
} Pair;

/* Nanoseconds that the processor worked for this program, all its threads
 * together: other programs on a busy machine do not count. */
double now_ns(void);

/* Median nanoseconds of one repetition. */
double measure(Work work, void *context, int n);

/* Prints a line: both times, and ours / other. */
void compare(const Pair *pair);

#endif
