/* Two ways of doing the same thing, timed in turn. */
#include "side_by_side.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_ROUNDS = 31 };
static int n_rounds = MOST_ROUNDS;

bool bench_begin(int argc, char **argv)
{
    bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    if (quick)
        n_rounds = 1;
    return quick;
}

double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values)
{
    qsort(values, (size_t)n_rounds, sizeof *values, ascending);
    return values[n_rounds / 2];
}

static double once(Work work, void *context, int n)
{
    double start = now_ns();
    work(context);
    return (now_ns() - start) / n;
}

double measure(Work work, void *context, int n)
{
    double taken[MOST_ROUNDS];
    work(context); // the first time finds cold caches and fresh pages
    for (int i = 0; i < n_rounds; i++)
        taken[i] = once(work, context, n);
    return median(taken);
}

void compare(const Pair *p)
{
    double ours[MOST_ROUNDS], other[MOST_ROUNDS], ratio[MOST_ROUNDS];
    p->do_ours(p->context);
    p->do_other(p->context);
    for (int i = 0; i < n_rounds; i++) {
        if (i % 2)
            other[i] = once(p->do_other, p->context, p->n);
        ours[i] = once(p->do_ours, p->context, p->n);
        if (i % 2 == 0)
            other[i] = once(p->do_other, p->context, p->n);
        ratio[i] = ours[i] / other[i];
    }
    printf("%-30s %s %.0f ns, %s %.0f ns: ratio %.2f (%s)\n", p->name, p->ours,
           median(ours), p->other, median(other), median(ratio), p->aim);
    fflush(stdout);
}
