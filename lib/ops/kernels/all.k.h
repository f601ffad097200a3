/* Every kernel there is: what the three targets compile. */
#include "ops/kernels/copy.k.h"
#include "ops/kernels/elementwise.k.h"
#include "ops/kernels/index_add.k.h"
#include "ops/kernels/loss.k.h"
#include "ops/kernels/random.k.h"
#include "ops/kernels/reduce.k.h"
#include "ops/kernels/softmax.k.h"
