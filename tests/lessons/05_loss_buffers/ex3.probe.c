/* What the mean divides by. */
#include "lesson/probe.h" // defines: probe_*, fact_*
#include <math.h>

double my_weighted_mean(const float *log_prob, const int64_t *target,
                        const float *weight, int64_t n, int64_t n_classes,
                        int64_t ignored);

int main(int argc, char **argv)
{
    enum { MOST = 12, CLASSES = 4 };
    probe_begin(argc, argv);
    float log_prob[MOST * CLASSES], weight[CLASSES];
    int64_t target[MOST];
    int64_t n = probe_int(4, MOST);
    for (int64_t i = 0; i < n * CLASSES; i++)
        log_prob[i] = (float)log(probe_real(0.05, 0.95));
    for (int64_t c = 0; c < CLASSES; c++)
        weight[c] = (float)probe_real(0.5, 3);
    int64_t ignored = probe_int(0, CLASSES - 1);
    for (int64_t i = 0; i < n; i++)
        target[i] = probe_int(0, CLASSES - 1);
    target[0] = ignored; // one that is ignored, and one that is not
    target[1] = (ignored + 1) % CLASSES;
    fact_real("nothing ignored",
              my_weighted_mean(log_prob, target, weight, n, CLASSES, -100));
    fact_real("one class ignored",
              my_weighted_mean(log_prob, target, weight, n, CLASSES, ignored));
    return probe_end();
}
