/* Random numbers on a GPU: Philox 4x32-10, a counter that any thread can jump
 * into. PyTorch launches T threads; thread t's k-th draw of four fills, for a
 * call of n numbers, the elements
 *
 *     t + 4*T*k      t + 4*T*k + T      t + 4*T*k + 2*T      t + 4*T*k + 3*T
 *
 * (of two, for 64-bit numbers, with 2*T*k). So here each element finds its own
 * thread, draw and place in it, and which threads run it does not matter.
 * Logarithm, sine and cosine are taken in double and rounded once, so that all
 * targets agree.
 *
 * source  Salmon and others 2011; cuRAND, curand_init (how seed, thread and
 *         offset make the counter); PyTorch 1.13, Tensor.uniform_ and others
 */
#ifndef OPS_KERNELS_RANDOM_K_H
#define OPS_KERNELS_RANDOM_K_H

#include "ops/kernels/types.h" // defines: T_f32 and its like
#include "ops/kernels/words.h" // defines: KERNEL_ON, COST

/* a, b: low and high, mean and deviation, or the probability in a. */
typedef struct RandomArgs {
    void *out;
    int64_t n;
    int64_t n_threads; // T
    uint64_t seed, offset;
    double a, b;
    int64_t low;
    uint64_t range;
} RandomArgs;

typedef struct PhiloxQuad {
    uint32_t word[4];
} PhiloxQuad;

KERNEL_FN PhiloxQuad philox(uint64_t seed, uint64_t counter, uint64_t thread)
{
    uint32_t key0 = (uint32_t)seed, key1 = (uint32_t)(seed >> 32);
    PhiloxQuad c = {{(uint32_t)counter, (uint32_t)(counter >> 32),
                     (uint32_t)thread, (uint32_t)(thread >> 32)}};
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xd2511f53u * c.word[0];
        uint64_t p1 = (uint64_t)0xcd9e8d57u * c.word[2];
        c.word[0] = (uint32_t)(p1 >> 32) ^ c.word[1] ^ key0;
        c.word[1] = (uint32_t)p1;
        c.word[2] = (uint32_t)(p0 >> 32) ^ c.word[3] ^ key1;
        c.word[3] = (uint32_t)p0;
        key0 += 0x9e3779b9u;
        key1 += 0xbb67ae85u;
    }
    return c;
}

/* The draw that element i belongs to, and its place among the `per_draw`
 * numbers which that makes. */
KERNEL_FN PhiloxQuad philox_of(const RandomArgs *k, int64_t i, int per_draw,
                               int *place)
{
    int64_t turn = i / k->n_threads;
    *place = (int)(turn % per_draw);
    return philox(k->seed, k->offset / 4 + (uint64_t)(turn / per_draw),
                  (uint64_t)(i % k->n_threads));
}

/* In (0, 1]: x 2^-32 + 2^-33, with cuRAND's own constant. */
KERNEL_FN float philox_uniform32(uint32_t x)
{
    return fmaf((float)x, 2.3283064e-10f, 2.3283064e-10f / 2);
}

KERNEL_FN uint64_t philox_bits53(const PhiloxQuad *draw, int place)
{
    return (uint64_t)draw->word[2 * place] ^ (uint64_t)draw->word[2 * place + 1]
                                                 << 21;
}

KERNEL_FN double philox_uniform64(const PhiloxQuad *draw, int place)
{
    return (double)philox_bits53(draw, place) * 0x1p-53 + 0x1p-54;
}

/* Two neighbours make two normal numbers: r sin t, then r cos t. */
KERNEL_FN float philox_normal32(const PhiloxQuad *draw, int place)
{
    int first = place & 2;
    float step = 2.3283064e-10f * 6.2831855f;
    float u = philox_uniform32(draw->word[first]);
    float turn = fmaf((float)draw->word[first + 1], step, step / 2);
    float radius = (float)sqrt((double)(float)(-2.0 * log((double)u)));
    double wave = place & 1 ? cos((double)turn) : sin((double)turn);
    return radius * (float)wave;
}

KERNEL_FN double philox_normal64(const PhiloxQuad *draw, int place)
{
    double u = philox_uniform64(draw, 0);
    double turn = (double)philox_bits53(draw, 1) * 0x1p-52 + 0x1p-53;
    double radius = sqrt(-2.0 * log(u));
    turn *= 3.141592653589793;
    return radius * (place & 1 ? cos(turn) : sin(turn));
}

#define RANDOM_KERNELS(d)                                                      \
    KERNEL_ON(random_uniform_##d, RandomArgs, 1,                               \
              COST(60.0 * (double)k.n, (double)sizeof(T_##d) * (double)k.n))   \
    {                                                                          \
        T_##d *out = (T_##d *)k.out;                                           \
        float low = LOAD_##d(STORE_##d((float)k.a));                           \
        float high = LOAD_##d(STORE_##d((float)k.b));                          \
        FOR_EACH (i, k.n) {                                                    \
            int place;                                                         \
            PhiloxQuad draw = philox_of(&k, i, 4, &place);                     \
            float u = philox_uniform32(draw.word[place]);                      \
            T_##d value = STORE_##d(fmaf(u, high - low, low));                 \
            out[i] = LOAD_##d(value) == high ? STORE_##d(low) : value;         \
        }                                                                      \
    }                                                                          \
    KERNEL_ON(random_normal_##d, RandomArgs, 1,                                \
              COST(80.0 * (double)k.n, (double)sizeof(T_##d) * (double)k.n))   \
    {                                                                          \
        T_##d *out = (T_##d *)k.out;                                           \
        FOR_EACH (i, k.n) {                                                    \
            int place;                                                         \
            PhiloxQuad draw = philox_of(&k, i, 4, &place);                     \
            float normal = philox_normal32(&draw, place);                      \
            out[i] = STORE_##d(normal * (float)k.b + (float)k.a);              \
        }                                                                      \
    }                                                                          \
    KERNEL_ON(random_bernoulli_##d, RandomArgs, 1,                             \
              COST(60.0 * (double)k.n, (double)sizeof(T_##d) * (double)k.n))   \
    {                                                                          \
        T_##d *out = (T_##d *)k.out;                                           \
        FOR_EACH (i, k.n) {                                                    \
            int place;                                                         \
            PhiloxQuad draw = philox_of(&k, i, 4, &place);                     \
            float u = philox_uniform32(draw.word[place]);                      \
            out[i] = STORE_##d(u < (float)k.a ? 1.0f : 0.0f);                  \
        }                                                                      \
    }

RANDOM_KERNELS(f16)
RANDOM_KERNELS(bf16)
RANDOM_KERNELS(f32)

KERNEL_ON(random_uniform_f64, RandomArgs, 1,
          COST(60.0 * (double)k.n, 8.0 * (double)k.n))
{
    double *out = (double *)k.out;
    FOR_EACH (i, k.n) {
        int place;
        PhiloxQuad draw = philox_of(&k, i, 2, &place);
        double value = fma(philox_uniform64(&draw, place), k.b - k.a, k.a);
        out[i] = value == k.b ? k.a : value;
    }
}

KERNEL_ON(random_normal_f64, RandomArgs, 1,
          COST(80.0 * (double)k.n, 8.0 * (double)k.n))
{
    double *out = (double *)k.out;
    FOR_EACH (i, k.n) {
        int place;
        PhiloxQuad draw = philox_of(&k, i, 2, &place);
        out[i] = philox_normal64(&draw, place) * k.b + k.a;
    }
}

KERNEL_ON(random_bernoulli_f64, RandomArgs, 1,
          COST(60.0 * (double)k.n, 8.0 * (double)k.n))
{
    double *out = (double *)k.out;
    FOR_EACH (i, k.n) {
        int place;
        PhiloxQuad draw = philox_of(&k, i, 2, &place);
        out[i] = philox_uniform64(&draw, place) < k.a ? 1 : 0;
    }
}

/* Integers in [low, low + range); range 0 stands for 2^64. */
KERNEL_ON(random_integer, RandomArgs, 1,
          COST(60.0 * (double)k.n, 8.0 * (double)k.n))
{
    int64_t *out = (int64_t *)k.out;
    bool wide = k.range == 0 || k.range >= 0x100000000u;
    FOR_EACH (i, k.n) {
        int place;
        PhiloxQuad draw = philox_of(&k, i, wide ? 2 : 4, &place);
        uint64_t value = draw.word[wide ? 2 * place : place];
        if (wide)
            value = value << 32 | draw.word[2 * place + 1];
        if (k.range != 0)
            value %= k.range;
        out[i] = (int64_t)(value + (uint64_t)k.low);
    }
}

/* One round of a bitonic sort of (key, value) pairs, n a power of two: pairs
 * `apart` from each other are put in order, which turns with `run`. */
typedef struct SortArgs {
    uint64_t *keys;
    int64_t *values;
    int64_t n, run, apart;
} SortArgs;

KERNEL_ON(sort_round, SortArgs, 2, COST(4.0 * (double)k.n, 32.0 * (double)k.n))
{
    FOR_EACH (i, k.n / 2) {
        int64_t a = i / k.apart * 2 * k.apart + i % k.apart;
        int64_t b = a + k.apart;
        bool rising = (a & k.run) == 0;
        bool larger = k.keys[a] != k.keys[b] ? k.keys[a] > k.keys[b]
                                             : k.values[a] > k.values[b];
        if (larger == rising) {
            uint64_t key = k.keys[a];
            int64_t value = k.values[a];
            k.keys[a] = k.keys[b];
            k.values[a] = k.values[b];
            k.keys[b] = key;
            k.values[b] = value;
        }
    }
}

#endif
