/* The two small functions that reading and writing .npz share. */
#include "nn/npz_format.h"

const char *npy_descr(DType dtype)
{
    static const char *const DESCR[N_DTYPES] = {
        [BOOL] = "|b1",    [UINT8] = "|u1",   [INT32] = "<i4",
        [INT64] = "<i8",   [FLOAT16] = "<f2", [BFLOAT16] = NULL,
        [FLOAT32] = "<f4", [FLOAT64] = "<f8",
    };
    return DESCR[dtype];
}

uint32_t zip_crc32(const void *data, size_t n_bytes)
{
    static const uint32_t NIBBLE[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    const unsigned char *bytes = data;
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < n_bytes; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ NIBBLE[crc & 15];
        crc = crc >> 4 ^ NIBBLE[crc & 15];
    }
    return ~crc;
}
