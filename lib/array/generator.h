/* Random numbers, the same bits as PyTorch's for the same seed.
 *
 * Two kinds of stream. The CPU's is one Mersenne Twister whose draws are used
 * up one after the other, in memory order. A GPU's is Philox: a counter that
 * any thread can jump into, so its state is two numbers, a seed and an offset
 * (ops/random.h does the drawing).
 *
 *   CPU  draw 0, draw 1, draw 2, …        one after the other
 *   GPU  quad(seed, offset, thread)       all at once
 *
 * PyTorch seeds an unseeded generator from the operating system. Ours starts
 * at PyTorch's documented default seed instead, so that a program that never
 * calls manual_seed still prints the same numbers every time.
 *
 * source  Matsumoto and Nishimura 1998, MT19937; Salmon and others 2011,
 *         Philox4x32-10; PyTorch 1.13, behaviour
 */
#ifndef ARRAY_GENERATOR_H
#define ARRAY_GENERATOR_H

#include "array/dtype.h"     // defines: DType
#include "base/attributes.h" // defines: API
#include <stdbool.h>
#include <stdint.h>

#define GENERATOR_DEFAULT_SEED 67280421310721ull
enum { MT_SIZE = 624 };

/* The CPU's stream. A value: copy it to come back to a place in the stream. */
typedef struct Generator {
    uint64_t seed;
    uint32_t state[MT_SIZE];
    int position;       // of the next draw in state; MT_SIZE: stir first
    bool has_normal;    // normals come in pairs; the second waits here
    double next_normal; // until a short randn asks for it
} Generator;

/* Start the stream again. Only the low 32 bits of the seed matter. */
API void generator_seed(Generator *generator, uint64_t seed);
API uint32_t generator_next32(Generator *generator);
API uint64_t generator_next64(Generator *generator); // high word first
/* 53 bits of one, as a fraction in [0, 1). */
API double generator_next53(Generator *generator);

/* Fill n elements of a floating dtype with numbers in [low, high).
 *
 * place   host memory    owner  the caller's `out`    errors  none
 * source  PyTorch 1.13, Tensor.uniform_: 24 random bits for float32, 53 for
 *         float64, 11 and 8 for the halves; one rounding (fma)
 */
API void generator_uniform(Generator *generator, DType dtype, void *out,
                           int64_t n, double low, double high);

/* Fill n elements of a floating dtype with normal numbers.
 *
 * Below 16 elements they are drawn one by one, in double; from 16 on in blocks
 * of 16, so that randn(5) and randn(20) share no number. `one_by_one` asks for
 * the first way whatever n is (PyTorch does for strided memory).
 * place   host memory    owner  the caller's `out`    errors  none
 * source  PyTorch 1.13, Tensor.normal_, as on CPUs with AVX2
 */
API void generator_normal(Generator *generator, DType dtype, void *out,
                          int64_t n, double mean, double std, bool one_by_one);

/* n integers in [low, high); low < high. The bias of % is PyTorch's. */
API void generator_randint(Generator *generator, int64_t *out, int64_t n,
                           int64_t low, int64_t high);

/* 0 … n-1 in random order. */
API void generator_randperm(Generator *generator, int64_t *out, int64_t n);

/* n times true with probability p. */
API void generator_bernoulli(Generator *generator, bool *out, int64_t n,
                             double p);

/* The CPU's stream of this process, taken and given back around a fill: two
 * threads that fill at once wait for each other.
 * owner   the process */
API Generator *generator_cpu_take(void);
API void generator_cpu_give(void);

/* A GPU's stream at one moment. */
typedef struct Philox {
    uint64_t seed;
    uint64_t offset; // 32-bit draws already used up, by each thread
} Philox;

/* The stream of a GPU (a logical index, 0 … 63), before `n_draws` more draws a
 * thread are used up. Asks no driver anything, unless a seed waits to hear
 * which GPU is current. */
API Philox generator_cuda_take(int index, uint64_t n_draws);
/* Start a GPU's stream again; -1: every GPU's. */
API void generator_cuda_seed(int index, uint64_t seed);
/* The same for the GPU that is current when a GPU's stream is first taken or
 * seeded after this: for seeding before CUDA may be asked anything. */
API void generator_cuda_seed_current_later(uint64_t seed);

#endif
