/* A wrong answer, kept to be recognised: the criterion is never moved. */
#include "nn/loss.h" // defines: cross_entropy_loss_new, loss_forward

Tensor *weighted_loss(Tensor *scores, Tensor *target, Tensor *weight)
{
    CrossEntropyOptions options = cross_entropy_defaults();
    options.weight = weight;
    return loss_forward(cross_entropy_loss_new(options), scores, target);
}
