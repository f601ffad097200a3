/* A wrong answer, kept to be recognised: the weights are forgotten. */
#include "nn/loss.h" // defines: cross_entropy_loss_new, loss_forward

Tensor *weighted_loss(Tensor *scores, Tensor *target, Tensor *weight)
{
    (void)weight;
    Module *criterion = cross_entropy_loss_new(cross_entropy_defaults());
    module_to(criterion, tensor_device(scores));
    return loss_forward(criterion, scores, target);
}
