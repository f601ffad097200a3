/* Two ways of doing the same thing, timed in turn. */
#include "side_by_side.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 31 };

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
    qsort(values, ROUNDS, sizeof *values, ascending);
    return values[ROUNDS / 2];
}

static double once(Work work, void *context, int n)
{
    double start = now_ns();
    work(context);
    return (now_ns() - start) / n;
}

double measure(Work work, void *context, int n)
{
    double taken[ROUNDS];
    work(context); // the first time finds cold caches and fresh pages
    for (int i = 0; i < ROUNDS; i++)
        taken[i] = once(work, context, n);
    return median(taken);
}

void compare(const Pair *p)
{
    double ours[ROUNDS], other[ROUNDS], ratio[ROUNDS];
    p->do_ours(p->context);
    p->do_other(p->context);
    for (int i = 0; i < ROUNDS; i++) {
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
