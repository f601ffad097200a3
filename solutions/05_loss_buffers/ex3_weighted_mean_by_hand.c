/* Lesson 05, exercise 3: the weighted mean, by hand.
 *
 * Compute what the loss computes, without the library: log_prob is (n,
 * n_classes) in C order, target[i] the class of sample i, weight[c] the weight
 * of class c. A sample counts with its class's weight; a sample whose target is
 * `ignored` does not count at all. The mean divides by the weights that
 * counted.
 *
 * check  scripts/learn check 05 ex3
 */
#include <stdint.h>

double my_weighted_mean(const float *log_prob, const int64_t *target,
                        const float *weight, int64_t n, int64_t n_classes,
                        int64_t ignored)
{
    //> answer
    //: (void)log_prob, (void)target, (void)weight;
    //: (void)n, (void)n_classes, (void)ignored;
    //: return 0; // TODO: the sum of the losses over the sum of the weights
    double sum = 0, mass = 0;
    for (int64_t i = 0; i < n; i++) {
        if (target[i] == ignored)
            continue;
        double w = weight[target[i]];
        sum -= w * log_prob[i * n_classes + target[i]];
        mass += w;
    }
    return sum / mass;
    //< answer
}
