/* Writing .npz: local entries, central directory, end record. */
#include "nn/npz.h"

#include "base/alloc.h"    // defines: mem_free
#include "base/status.h"   // defines: status_fail, TRY
#include "base/text.h"     // defines: Text
#include "nn/npz_format.h" // defines: npy_descr, zip_crc32, ZIP_…
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void put16(Text *out, unsigned value)
{
    char bytes[2] = {(char)(value & 255), (char)(value >> 8 & 255)};
    text_add_n(out, bytes, 2);
}

static void put32(Text *out, size_t value)
{
    put16(out, (unsigned)(value & 0xFFFF));
    put16(out, (unsigned)(value >> 16 & 0xFFFF));
}

/* The header of one .npy: magic, version 1.0, a Python dict in words, padded so
 * that the numbers begin at a multiple of 64 bytes. */
static void put_npy_header(Text *out, const NpzEntry *entry)
{
    Text dict = {0};
    text_addf(&dict, "{'descr': '%s', 'fortran_order': False, 'shape': (",
              npy_descr(entry->dtype));
    for (int i = 0; i < entry->shape.n_dims; i++)
        text_addf(&dict, "%lld, ", (long long)entry->shape.dims[i]);
    text_add(&dict, "), }");
    while ((NPY_PREFIX_BYTES + dict.length + 1) % 64 && !dict.failed)
        text_add(&dict, " ");
    text_add(&dict, "\n");
    text_add_n(out, NPY_MAGIC "\1\0", NPY_MAGIC_BYTES + 2);
    put16(out, (unsigned)dict.length);
    text_add_n(out, dict.data ? dict.data : "", dict.length);
    out->failed |= dict.failed;
    text_clear(&dict);
}

/* What local header and directory entry have in common, from "version needed"
 * to "length of the extra field". Dates are fixed: two saves are the same. */
static void put_common(Text *out, uint32_t crc, size_t n_bytes, size_t n_name)
{
    put16(out, 20);
    put16(out, 0);
    put16(out, ZIP_STORED);
    put16(out, 0);
    put16(out, 0x21); // 1980-01-01
    put32(out, crc);
    put32(out, n_bytes);
    put32(out, n_bytes);
    put16(out, (unsigned)n_name);
    put16(out, 0);
}

static void put_entry(Text *file, Text *directory, const NpzEntry *entry)
{
    char name[sizeof entry->name + 8];
    snprintf(name, sizeof name, "%s.npy", entry->name);
    size_t offset = file->length;
    Text body = {0};
    put_npy_header(&body, entry);
    text_add_n(&body, entry->data, entry->n_bytes);
    if (!body.failed) {
        uint32_t crc = zip_crc32(body.data, body.length);
        put32(file, ZIP_LOCAL);
        put_common(file, crc, body.length, strlen(name));
        text_add(file, name);
        text_add_n(file, body.data, body.length);
        put32(directory, ZIP_DIRECTORY);
        put16(directory, 20);
        put_common(directory, crc, body.length, strlen(name));
        put16(directory, 0); // comment
        put16(directory, 0); // disk
        put16(directory, 0);
        put32(directory, 0);
        put32(directory, offset);
        text_add(directory, name);
    }
    file->failed |= body.failed;
    text_clear(&body);
}

static Status write_file(const char *path, const Text *file)
{
    Text beside = {0};
    text_addf(&beside, "%s.part", path);
    if (beside.failed)
        return status_peek();
    FILE *out = fopen(beside.data, "wb");
    bool good = out && fwrite(file->data, 1, file->length, out) == file->length;
    if (out)
        good = fclose(out) == 0 && good;
    good = good && rename(beside.data, path) == 0;
    int reason = errno;
    if (!good && out)
        remove(beside.data);
    text_clear(&beside);
    return good ? OK
                : status_fail(ERR_FILE, "cannot write '%s': %s", path,
                              strerror(reason));
}

Status npz_write(const char *path, const NpzEntry *entries, int n)
{
    Text file = {0}, directory = {0};
    size_t total = 0;
    for (int i = 0; i < n; i++) {
        if (!npy_descr(entries[i].dtype))
            return status_fail(ERR_TYPE,
                               "'%s' is %s, which NumPy does not have: cast "
                               "the module to float32 before saving it",
                               entries[i].name, dtype_name(entries[i].dtype));
        total += entries[i].n_bytes;
    }
    if (total >= ZIP_MOST_BYTES || n > 65535)
        return status_fail(ERR_FILE,
                           "cannot write '%s': an archive without "
                           "ZIP64 ends at 4 GiB and 65535 entries",
                           path);
    for (int i = 0; i < n; i++)
        put_entry(&file, &directory, &entries[i]);
    size_t at = file.length;
    text_add_n(&file, directory.data ? directory.data : "", directory.length);
    put32(&file, ZIP_END);
    put16(&file, 0);
    put16(&file, 0);
    put16(&file, (unsigned)n);
    put16(&file, (unsigned)n);
    put32(&file, directory.length);
    put32(&file, at);
    put16(&file, 0);
    Status status = file.failed || directory.failed ? status_peek()
                                                    : write_file(path, &file);
    text_clear(&file);
    text_clear(&directory);
    return status;
}
