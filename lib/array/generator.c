/* Random numbers: the Mersenne Twister, uniforms and integers.
 *
 * Normal numbers have a file of their own (generator_normal.c).
 */
#include "array/generator.h" // defines: Generator, Philox
#include "base/half.h"       // defines: Float16, Bfloat16
#include "device/device.h"   // defines: cuda_current_device
#include "device/ledger.h"   // defines: LEDGER_MAX_DEVICES
#include <math.h>
#include <pthread.h>

/* ---- the engine ------------------------------------------------------- */

enum { MT_MIDDLE = 397 };

void generator_seed(Generator *generator, uint64_t seed)
{
    uint32_t word = (uint32_t)seed;
    generator->seed = seed;
    for (uint32_t i = 0; i < MT_SIZE; i++) {
        if (i > 0)
            word = 1812433253u * (word ^ (word >> 30)) + i;
        generator->state[i] = word;
    }
    generator->position = MT_SIZE;
    generator->has_normal = false;
    generator->next_normal = 0;
}

static void stir(Generator *generator)
{
    uint32_t *state = generator->state;
    for (int i = 0; i < MT_SIZE; i++) {
        uint32_t mixed =
            (state[i] & 0x80000000u) | (state[(i + 1) % MT_SIZE] & 0x7fffffffu);
        state[i] = state[(i + MT_MIDDLE) % MT_SIZE] ^ (mixed >> 1) ^
                   ((mixed & 1) ? 0x9908b0dfu : 0);
    }
    generator->position = 0;
}

uint32_t generator_next32(Generator *generator)
{
    if (generator->position == MT_SIZE)
        stir(generator);
    uint32_t word = generator->state[generator->position++];
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c5680u;
    word ^= (word << 15) & 0xefc60000u;
    return word ^ (word >> 18);
}

uint64_t generator_next64(Generator *generator)
{
    uint64_t high = generator_next32(generator);
    return (high << 32) | generator_next32(generator);
}

double generator_next53(Generator *generator)
{
    return (double)(generator_next64(generator) & ((1ull << 53) - 1)) * 0x1p-53;
}

/* ---- uniform ---------------------------------------------------------- */

/* The low `n_bits` of one draw, as a fraction in [0, 1). */
static float fraction(Generator *generator, int n_bits)
{
    uint32_t mask = (1u << n_bits) - 1;
    return ldexpf((float)(generator_next32(generator) & mask), -n_bits);
}

static float through_float16(float value)
{
    return float_of_float16(float16_of_float(value));
}

static float through_bfloat16(float value)
{
    return float_of_bfloat16(bfloat16_of_float(value));
}

void generator_uniform(Generator *generator, DType dtype, void *out, int64_t n,
                       double low, double high)
{
    if (dtype == FLOAT64) {
        double *to = out;
        for (int64_t i = 0; i < n; i++)
            to[i] = fma(generator_next53(generator), high - low, low);
    } else if (dtype == FLOAT32) {
        float *to = out, from = (float)low, span = (float)high - (float)low;
        for (int64_t i = 0; i < n; i++)
            to[i] = fmaf(fraction(generator, 24), span, from);
    } else if (dtype == FLOAT16) {
        Float16 *to = out;
        float from = through_float16((float)low);
        float span = through_float16(through_float16((float)high) - from);
        for (int64_t i = 0; i < n; i++)
            to[i] = float16_of_float(fmaf(fraction(generator, 11), span, from));
    } else if (dtype == BFLOAT16) {
        Bfloat16 *to = out;
        float from = through_bfloat16((float)low);
        float span = through_bfloat16(through_bfloat16((float)high) - from);
        for (int64_t i = 0; i < n; i++)
            to[i] = bfloat16_of_float(fmaf(fraction(generator, 8), span, from));
    }
}

/* ---- integers --------------------------------------------------------- */

void generator_randint(Generator *generator, int64_t *out, int64_t n,
                       int64_t low, int64_t high)
{
    uint64_t range = (uint64_t)high - (uint64_t)low;
    for (int64_t i = 0; i < n; i++) {
        uint64_t draw = range >= 1ull << 32 ? generator_next64(generator)
                                            : generator_next32(generator);
        out[i] = (int64_t)(draw % range + (uint64_t)low);
    }
}

void generator_randperm(Generator *generator, int64_t *out, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = i;
    for (int64_t i = 0; i < n - 1; i++) {
        int64_t other =
            i + (int64_t)(generator_next32(generator) % (uint64_t)(n - i));
        int64_t kept = out[i];
        out[i] = out[other];
        out[other] = kept;
    }
}

void generator_bernoulli(Generator *generator, bool *out, int64_t n, double p)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = generator_next53(generator) < p;
}

/* ---- the streams of this process --------------------------------------- */

static pthread_mutex_t cpu_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t cuda_lock = PTHREAD_MUTEX_INITIALIZER;
static Generator cpu_stream;
static bool cpu_is_seeded;
static Philox cuda_streams[LEDGER_MAX_DEVICES];
static bool cuda_is_seeded[LEDGER_MAX_DEVICES];
static bool a_seed_waits; // for CUDA to say which GPU is current
static uint64_t waiting_seed;

Generator *generator_cpu_take(void)
{
    pthread_mutex_lock(&cpu_lock);
    if (!cpu_is_seeded)
        generator_seed(&cpu_stream, GENERATOR_DEFAULT_SEED);
    cpu_is_seeded = true;
    return &cpu_stream;
}

void generator_cpu_give(void)
{
    pthread_mutex_unlock(&cpu_lock);
}

static void seed_cuda(int index, uint64_t seed)
{
    cuda_streams[index] = (Philox){seed, 0};
    cuda_is_seeded[index] = true;
}

/* The seed that has waited for a current GPU gets it. */
static void seed_waiting(void)
{
    if (!a_seed_waits)
        return;
    int current = cuda_current_device();
    if (current >= 0 && current < LEDGER_MAX_DEVICES)
        seed_cuda(current, waiting_seed);
    a_seed_waits = false;
}

Philox generator_cuda_take(int index, uint64_t n_draws)
{
    pthread_mutex_lock(&cuda_lock);
    seed_waiting();
    if (!cuda_is_seeded[index])
        seed_cuda(index, GENERATOR_DEFAULT_SEED);
    Philox before = cuda_streams[index];
    cuda_streams[index].offset += n_draws;
    pthread_mutex_unlock(&cuda_lock);
    return before;
}

void generator_cuda_seed(int index, uint64_t seed)
{
    pthread_mutex_lock(&cuda_lock);
    if (index == -1) {
        a_seed_waits = false; // what comes last counts
        for (int i = 0; i < LEDGER_MAX_DEVICES; i++)
            seed_cuda(i, seed);
    } else {
        seed_waiting();
        seed_cuda(index, seed);
    }
    pthread_mutex_unlock(&cuda_lock);
}

void generator_cuda_seed_current_later(uint64_t seed)
{
    pthread_mutex_lock(&cuda_lock);
    waiting_seed = seed;
    a_seed_waits = true;
    pthread_mutex_unlock(&cuda_lock);
}
