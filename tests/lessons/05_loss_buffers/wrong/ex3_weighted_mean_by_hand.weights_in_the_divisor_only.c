/* A wrong answer, kept to be recognised: losses unweighted. */
#include <stdint.h>

double my_weighted_mean(const float *log_prob, const int64_t *target,
                        const float *weight, int64_t n, int64_t n_classes,
                        int64_t ignored)
{
    double sum = 0, mass = 0;
    for (int64_t i = 0; i < n; i++) {
        if (target[i] == ignored)
            continue;
        sum -= log_prob[i * n_classes + target[i]];
        mass += weight[target[i]];
    }
    return sum / mass;
}
