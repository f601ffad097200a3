/* The numbers of ZIP and NPY that reader and writer share. */
#ifndef NN_NPZ_FORMAT_H
#define NN_NPZ_FORMAT_H

#include "array/dtype.h" // defines: DType
#include <stddef.h>
#include <stdint.h>

#define NPY_MAGIC "\x93NUMPY"
enum {
    NPY_MAGIC_BYTES = 6,
    NPY_PREFIX_BYTES = 10, // magic, version, length of the header
    ZIP_STORED = 0,
    ZIP_LOCAL_BYTES = 30,
    ZIP_DIRECTORY_BYTES = 46,
    ZIP_END_BYTES = 22,
};
#define ZIP_LOCAL UINT32_C(0x04034b50)
#define ZIP_DIRECTORY UINT32_C(0x02014b50)
#define ZIP_END UINT32_C(0x06054b50)
#define ZIP_MOST_BYTES UINT64_C(0xFF000000)

/* NumPy's name of a dtype, "<f4", or NULL where it has none. */
const char *npy_descr(DType dtype);
/* CRC-32 as ZIP has it (polynomial 0xEDB88320). */
uint32_t zip_crc32(const void *data, size_t n_bytes);

#endif
