/* State-dict files: all of a module's tensors are filled, or none and there is
 * a sentence. Each input is fed as it is, and once more with every checksum
 * put right, for no mutation finds a CRC-32 by itself. */
#include "base/status.h"       // defines: status_take
#include "fuzz.h"              // defines: MUST
#include "nn/layers.h"         // defines: linear_new
#include "nn/npz_format.h"     // defines: ZIP_DIRECTORY, zip_crc32
#include "nn/state_dict.h"     // defines: module_load
#include "tensor/functional.h" // defines: tensor_read
#include "tensor/scope.h"      // defines: scope_open

#include <unistd.h>

enum { N_NUMBERS = 3 };

/* In memory where there is such a folder: thousands are written a second. */
static char in_memory[] = "/dev/shm/fuzz_state_dict_XXXXXX";
static char beside[] = "fuzz_state_dict_XXXXXX";
static char *path = in_memory;
static int file = -1;

static void drop_file(void)
{
    remove(path);
}

static void write_file(const uint8_t *data, size_t n_bytes)
{
    if (file < 0) {
        file = mkstemp(in_memory);
        if (file < 0) {
            path = beside;
            file = mkstemp(beside);
        }
        MUST(file >= 0);
        atexit(drop_file);
    }
    MUST(ftruncate(file, 0) == 0);
    MUST(pwrite(file, data, n_bytes, 0) == (ssize_t)n_bytes);
}

static void numbers_of(Module *net, double out[N_NUMBERS])
{
    Tensor *weight = module_parameter(net, "weight");
    Tensor *bias = module_parameter(net, "bias");
    MUST(tensor_read(weight, out, 2) == OK);
    MUST(tensor_read(bias, out + 2, 1) == OK);
}

static void load(const uint8_t *data, size_t n_bytes)
{
    double before[N_NUMBERS];
    double after[N_NUMBERS];
    write_file(data, n_bytes);
    MUST(scope_open() == OK);
    Module *net = linear_new(2, 1);
    MUST(net);
    numbers_of(net, before);
    Status status = module_load(net, path);
    MUST(status_take() == status);
    numbers_of(net, after);
    if (status != OK) {
        MUST(status == ERR_FILE || status == ERR_RUNTIME);
        MUST(strlen(status_sentence()) > 0);
        MUST(memcmp(before, after, sizeof before) == 0);
    }
    scope_close();
}

static size_t number(const uint8_t *at, int n_bytes)
{
    size_t value = 0;
    for (int i = 0; i < n_bytes; i++)
        value |= (size_t)at[i] << 8 * i;
    return value;
}

/* Give the entry whose directory record stands at d the checksum its bytes
 * have, if they are in the file at all. */
static void repair(uint8_t *data, size_t n_bytes, uint8_t *d)
{
    size_t length = number(d + 20, 4), local = number(d + 42, 4);
    if (local > n_bytes || n_bytes - local < ZIP_LOCAL_BYTES)
        return;
    size_t skip = ZIP_LOCAL_BYTES + number(data + local + 26, 2) +
                  number(data + local + 28, 2);
    if (skip > n_bytes - local || length > n_bytes - local - skip)
        return;
    uint32_t sum = zip_crc32(data + local + skip, length);
    for (int i = 0; i < 4; i++)
        d[16 + i] = (uint8_t)(sum >> 8 * i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    load(data, n_bytes);
    uint8_t *copy = malloc(n_bytes ? n_bytes : 1);
    MUST(copy);
    if (n_bytes > 0)
        memcpy(copy, data, n_bytes);
    for (size_t i = 0; i + ZIP_DIRECTORY_BYTES <= n_bytes; i++)
        if (number(copy + i, 4) == ZIP_DIRECTORY)
            repair(copy, n_bytes, copy + i);
    if (n_bytes > 0 && memcmp(copy, data, n_bytes) != 0)
        load(copy, n_bytes);
    free(copy);
    return 0;
}
