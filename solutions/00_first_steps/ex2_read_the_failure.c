/* Lesson 00, exercise 2: read the failure.
 *
 * Say whether a + b works. When it does not, the library records a failure on
 * this thread, and it stays there until somebody reads it. Read it: no failure
 * may be left behind.
 *
 * check  scripts/learn check 00 ex2
 */
#include "base/status.h"       // defines: OK, status_take
#include "tensor/functional.h" // defines: tensor_add
#include "tensor/tensor.h"     // defines: Tensor
#include <stdbool.h>

bool can_add(Tensor *a, Tensor *b)
{
    //> answer
    //: (void)a;
    //: (void)b;
    //: return true; // TODO: try it, and read the failure
    tensor_add(a, b);
    return status_take() == OK;
    //< answer
}
