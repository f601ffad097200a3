/* Reads requests from stdin, answers with random numbers as hex, for
 * sweep_random.py. One request a line:
 *
 *     seed <seed>
 *     <word> <dtype> <place> <n> <a> <b> <m> <m places>
 *
 * word: uniform, normal, bernoulli, randint or randperm; dtype by its index in
 * DType; place -1 the CPU, else the GPU. The answer is one line of hex:
 * the bytes of the numbers at those places.
 */
#include "tensor/create.h" // defines: tensor_uniform_, manual_seed, …
#include "tensor/scope.h"  // defines: scope_open, scope_close
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Request {
    char word[16];
    int dtype, place;
    int64_t n;
    double a, b;
} Request;

static Tensor *answer(const Request *r)
{
    Device device = r->place < 0 ? device_cpu() : device_cuda(r->place);
    if (strcmp(r->word, "randint") == 0)
        return tensor_randint((int64_t)r->a, (int64_t)r->b, shape(r->n),
                              device);
    if (strcmp(r->word, "randperm") == 0)
        return tensor_randperm(r->n, device);
    Tensor *x = tensor_empty((DType)r->dtype, shape(r->n), device);
    if (x == NULL)
        return NULL;
    if (strcmp(r->word, "uniform") == 0)
        return tensor_uniform_(x, r->a, r->b);
    if (strcmp(r->word, "normal") == 0)
        return tensor_normal_(x, r->a, r->b);
    return tensor_bernoulli_(x, r->a);
}

/* Prints the numbers that the rest of the line asks for. 0: all went well. */
static int print_hex(Tensor *x)
{
    Tensor *host = x == NULL ? NULL : tensor_cpu(x);
    int64_t n_places, place;
    if (host == NULL) {
        fprintf(stderr, "%s\n", status_sentence());
        return 1;
    }
    const unsigned char *data = tensor_data(host);
    size_t width = dtype_bytes(tensor_dtype(host));
    if (scanf("%" SCNd64, &n_places) != 1)
        return 1;
    while (n_places-- > 0) {
        if (scanf("%" SCNd64, &place) != 1)
            return 1;
        for (size_t i = 0; i < width; i++)
            printf("%02x", data[(size_t)place * width + i]);
    }
    putchar('\n');
    return 0;
}

int main(void)
{
    Request r;
    int64_t seed;
    int failed = 0;
    while (!failed && scanf("%15s", r.word) == 1) {
        if (strcmp(r.word, "seed") == 0) {
            if (scanf("%" SCNd64, &seed) != 1)
                return 1;
            manual_seed(seed);
            continue;
        }
        if (scanf("%d %d %" SCNd64 " %lf %lf", &r.dtype, &r.place, &r.n, &r.a,
                  &r.b) != 5)
            return 1;
        scope_open();
        failed = print_hex(answer(&r));
        scope_close();
    }
    return failed;
}
