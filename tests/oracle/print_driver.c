/* Reads tensors from stdin, prints their reprs, for fuzz_print.py.
 *
 * A request is one line and one line of hex, the numbers' bytes in C order:
 *
 *     <dtype> <place> <history> <default> <n_dims> <dims …>
 *
 * dtype by its index in DType; place -1 the CPU, else the GPU; history 0 none,
 * 1 requires_grad, 2 the clone of such a one; default: where tensors are born,
 * -1 the CPU, else the GPU that is made current. The answer is the repr's
 * length on a line, then the repr and a newline.
 */
#include "base/alloc.h"        // defines: mem_free
#include "tensor/create.h"     // defines: default_device_set
#include "tensor/format.h"     // defines: tensor_repr
#include "tensor/functional.h" // defines: tensor_clone
#include "tensor/scope.h"      // defines: scope_open, scope_close
#include "tensor/tape.h"       // defines: tensor_set_requires_grad
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Request {
    DType dtype;
    Device place, born;
    int history;
    Shape shape;
    unsigned char *data;
} Request;

static Device device_of(int number)
{
    return number < 0 ? device_cpu() : device_cuda(number);
}

static int read_hex(unsigned char *out, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++) {
        unsigned byte;
        if (scanf("%2x", &byte) != 1)
            return 0;
        out[i] = (unsigned char)byte;
    }
    return 1;
}

static int read_request(Request *request)
{
    int dtype, place, born;
    if (scanf("%d %d %d %d %d", &dtype, &place, &request->history, &born,
              &request->shape.n_dims) != 5)
        return 0;
    for (int i = 0; i < request->shape.n_dims; i++)
        if (scanf("%" SCNd64, &request->shape.dims[i]) != 1)
            return 0;
    request->dtype = (DType)dtype;
    request->place = device_of(place);
    request->born = device_of(born);
    size_t n_bytes =
        (size_t)shape_count(request->shape) * dtype_bytes(request->dtype);
    request->data = malloc(n_bytes + 1);
    return request->data != NULL && read_hex(request->data, n_bytes);
}

static char *answer(const Request *request)
{
    Tensor *x = tensor_new(request->dtype, request->shape, request->data,
                           request->place);
    if (x != NULL && request->history > 0)
        tensor_set_requires_grad(x, true);
    if (request->history > 1)
        x = tensor_clone(x);
    default_device_set(request->born);
    if (device_is_cuda(request->born))
        cuda_set_device(request->born.index);
    return x == NULL ? NULL : tensor_repr(x);
}

int main(void)
{
    Request request;
    while (read_request(&request)) {
        scope_open();
        char *text = answer(&request);
        if (text == NULL) {
            fprintf(stderr, "%s\n", status_sentence());
            return 1;
        }
        printf("%zu\n%s\n", strlen(text), text);
        mem_free(text);
        free(request.data);
        scope_close();
    }
    return 0;
}
