/* Named arrays in one file: a ZIP archive of .npy entries, stored, not
 * compressed, so that NumPy opens it and a reader needs no inflater.
 *
 * Host bytes only; which tensor they belong to is state_dict's business.
 * source  NumPy, "NPY format 1.0"; PKWARE APPNOTE 6.3 (method 0)
 */
#ifndef NN_NPZ_H
#define NN_NPZ_H

#include "array/dtype.h" // defines: DType
#include "array/shape.h" // defines: Shape
#include "base/status.h" // defines: Status
#include <stddef.h>

/* One array. */
typedef struct NpzEntry {
    char name[256]; // without ".npy"
    DType dtype;
    Shape shape;
    const void *data; // C order, little endian; lent
    size_t n_bytes;
} NpzEntry;

/* Write all entries: beside `path` first, then renamed over it.
 * errors  ERR_FILE with the path; ERR_TYPE for BFLOAT16, which NumPy lacks.
 *         Whatever stood at `path` is then untouched. */
Status npz_write(const char *path, const NpzEntry *entries, int n);

typedef struct Npz {
    unsigned char *bytes; // the whole file, owned
    size_t n_bytes;
    NpzEntry *entries; // their data points into bytes
    int n;
} Npz;

/* Read and check a whole archive. *out holds nothing after a failure.
 * errors  ERR_FILE: cannot be read, no archive, cut short, compressed, bad
 *         checksum, a dtype or an order that we do not have */
Status npz_read(const char *path, Npz *out);
void npz_clear(Npz *npz);

#endif
