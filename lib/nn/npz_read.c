/* Reading .npz: every length is checked before it is used. */
#include "nn/npz.h"

#include "base/alloc.h"    // defines: mem_new, mem_free
#include "base/status.h"   // defines: status_fail, TRY
#include "nn/npz_format.h" // defines: npy_descr, zip_crc32, ZIP_…
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t get(const unsigned char *at, int n_bytes)
{
    uint32_t value = 0;
    for (int i = 0; i < n_bytes; i++)
        value |= (uint32_t)at[i] << 8 * i;
    return value;
}

static Status damaged(const char *path, const char *how)
{
    return status_fail(ERR_FILE, "cannot read '%s': %s", path, how);
}

static Status read_file(const char *path, Npz *npz)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        return damaged(path, strerror(errno));
    Status status = OK;
    size_t capacity = 0, n = 0;
    for (;;) {
        if (n == capacity) {
            capacity = capacity ? 2 * capacity : 65536;
            unsigned char *grown = mem_resize(npz->bytes, capacity);
            if (!grown) {
                status = status_peek();
                break;
            }
            npz->bytes = grown;
        }
        size_t got = fread(npz->bytes + n, 1, capacity - n, in);
        if (got == 0)
            break;
        n += got;
    }
    if (status == OK && ferror(in))
        status = damaged(path, strerror(errno));
    fclose(in);
    npz->n_bytes = n;
    return status;
}

/* The end record stands last, before a comment of up to 65,535 bytes. */
static const unsigned char *find_end(const Npz *npz)
{
    if (npz->n_bytes < ZIP_END_BYTES)
        return NULL;
    const unsigned char *at = npz->bytes + npz->n_bytes - ZIP_END_BYTES;
    for (int tries = 0; tries <= 65535 && at >= npz->bytes; tries++, at--)
        if (get(at, 4) == ZIP_END)
            return at;
    return NULL;
}

/* After `key` in the header's dict; NULL when it is not there. */
static const char *value_of(const char *dict, const char *key)
{
    const char *at = strstr(dict, key);
    at = at ? strchr(at + strlen(key), ':') : NULL;
    return at ? at + 1 + strspn(at + 1, " ") : NULL;
}

static Status parse_shape(const char *path, const char *text, Shape *out)
{
    *out = shape_scalar();
    if (!text || *text++ != '(')
        return damaged(path, "an entry's header has no shape");
    uint64_t count = 1;
    while (*text != ')') {
        char *end;
        errno = 0;
        long long dim = strtoll(text, &end, 10);
        if (end == text || errno || dim < 0 || out->n_dims == MAX_DIMS)
            return damaged(path, "an entry's shape is not understood");
        if (dim && count > (UINT64_C(1) << 40) / (uint64_t)dim)
            return damaged(path, "an entry's shape is too large");
        count *= (uint64_t)dim;
        out->dims[out->n_dims++] = dim;
        text = end + strspn(end, ", ");
    }
    return OK;
}

static Status parse_dict(const char *path, const char *dict, NpzEntry *entry)
{
    const char *descr = value_of(dict, "'descr'");
    const char *order = value_of(dict, "'fortran_order'");
    bool known = false;
    for (int t = 0; descr && t < N_DTYPES && !known; t++) {
        const char *name = npy_descr((DType)t);
        known = name && strlen(descr) > 5 && descr[0] == '\'' &&
                strncmp(descr + 1, name, 3) == 0 && descr[4] == '\'';
        if (known)
            entry->dtype = (DType)t;
    }
    if (!known)
        return damaged(path, "an entry's dtype is not one of bool, uint8, "
                             "int32, int64, float16, float32, float64 in "
                             "little-endian order");
    if (!order || strncmp(order, "False", 5) != 0)
        return damaged(path, "an entry is in Fortran order; save "
                             "numpy.ascontiguousarray(x) instead");
    return parse_shape(path, value_of(dict, "'shape'"), &entry->shape);
}

/* One .npy file of n_bytes at `at`. */
static Status parse_npy(const char *path, const unsigned char *at,
                        size_t n_bytes, NpzEntry *entry)
{
    if (n_bytes < NPY_PREFIX_BYTES ||
        memcmp(at, NPY_MAGIC, NPY_MAGIC_BYTES) != 0 || at[6] != 1)
        return damaged(path, "an entry is not a NumPy array of format 1.0");
    size_t n_dict = get(at + 8, 2);
    if (n_dict > n_bytes - NPY_PREFIX_BYTES)
        return damaged(path, "an entry is cut short");
    char *dict = mem_new(n_dict + 1);
    if (!dict)
        return status_peek();
    memcpy(dict, at + NPY_PREFIX_BYTES, n_dict);
    Status status = parse_dict(path, dict, entry);
    mem_free(dict);
    TRY(status);
    entry->data = at + NPY_PREFIX_BYTES + n_dict;
    entry->n_bytes =
        (size_t)shape_count(entry->shape) * dtype_bytes(entry->dtype);
    if (entry->n_bytes != n_bytes - NPY_PREFIX_BYTES - n_dict)
        return damaged(path, "an entry's numbers do not fill its shape");
    return OK;
}

/* One entry of the directory at `at`; *next is where the next one begins. */
static Status parse_entry(const char *path, const Npz *npz, size_t at,
                          size_t *next, NpzEntry *entry)
{
    if (at > npz->n_bytes || npz->n_bytes - at < ZIP_DIRECTORY_BYTES ||
        get(npz->bytes + at, 4) != ZIP_DIRECTORY)
        return damaged(path, "its directory is damaged");
    const unsigned char *d = npz->bytes + at;
    size_t n_name = get(d + 28, 2);
    *next = at + ZIP_DIRECTORY_BYTES + n_name + get(d + 30, 2) + get(d + 32, 2);
    if (*next > npz->n_bytes)
        return damaged(path, "its directory is cut short");
    if (get(d + 10, 2) != ZIP_STORED)
        return damaged(path, "its entries are compressed; save it with "
                             "numpy.savez, not savez_compressed");
    const char *name = (const char *)d + ZIP_DIRECTORY_BYTES;
    if (n_name < 5 || n_name - 4 >= sizeof entry->name ||
        memcmp(name + n_name - 4, ".npy", 4) != 0 || memchr(name, 0, n_name))
        return damaged(path, "an entry's name is not NAME.npy");
    memcpy(entry->name, name, n_name - 4);
    entry->name[n_name - 4] = 0;
    size_t n_bytes = get(d + 20, 4), local = get(d + 42, 4);
    if (local > npz->n_bytes || npz->n_bytes - local < ZIP_LOCAL_BYTES ||
        get(npz->bytes + local, 4) != ZIP_LOCAL)
        return damaged(path, "an entry is not where its directory says");
    size_t skip = ZIP_LOCAL_BYTES + (size_t)get(npz->bytes + local + 26, 2) +
                  get(npz->bytes + local + 28, 2);
    if (skip > npz->n_bytes - local || n_bytes > npz->n_bytes - local - skip)
        return damaged(path, "an entry is cut short");
    const unsigned char *body = npz->bytes + local + skip;
    if (zip_crc32(body, n_bytes) != get(d + 16, 4))
        return damaged(path, "an entry's checksum is wrong: the file was "
                             "damaged after it was saved");
    return parse_npy(path, body, n_bytes, entry);
}

static Status parse(const char *path, Npz *npz)
{
    const unsigned char *end = find_end(npz);
    if (!end)
        return damaged(path, "it is not a whole .npz archive");
    int n = (int)get(end + 10, 2);
    size_t at = get(end + 16, 4);
    npz->entries = mem_new(((size_t)n + 1) * sizeof *npz->entries);
    if (!npz->entries)
        return status_peek();
    for (int i = 0; i < n; i++) {
        TRY(parse_entry(path, npz, at, &at, &npz->entries[i]));
        npz->n++;
    }
    return OK;
}

Status npz_read(const char *path, Npz *out)
{
    *out = (Npz){0};
    Status status = read_file(path, out);
    if (status == OK)
        status = parse(path, out);
    if (status != OK)
        npz_clear(out);
    return status;
}

void npz_clear(Npz *npz)
{
    mem_free(npz->bytes);
    mem_free(npz->entries);
    *npz = (Npz){0};
}
