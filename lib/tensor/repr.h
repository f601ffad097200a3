/* A tensor's repr from plain facts. Internal to this room: format.c gathers
 * the facts from a tensor, and the fuzz test from a pipe. */
#ifndef TENSOR_REPR_H
#define TENSOR_REPR_H

#include "base/text.h"            // defines: Text
#include "tensor/number_format.h" // defines: Numbers

typedef struct ReprFacts {
    Numbers numbers;
    const char *device;  // shown as device='…'; NULL: not shown
    const char *grad_fn; // shown as grad_fn=<…>; NULL: none
    bool requires_grad;
} ReprFacts;

/* Appends "tensor([1, 2, 3], device='cuda:7')". */
void repr_add(Text *out, const ReprFacts *facts);

#endif
