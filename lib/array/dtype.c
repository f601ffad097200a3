/* Eight dtypes: their sizes, names and promotion. */
#include "array/dtype.h" // defines: DType, dtype_bytes, dtype_promote

static const struct {
    size_t n_bytes;
    const char *name;
    const char *scalar_name;
} facts[N_DTYPES] = {
    [BOOL] = {1, "torch.bool", "Bool"},
    [UINT8] = {1, "torch.uint8", "Byte"},
    [INT32] = {4, "torch.int32", "Int"},
    [INT64] = {8, "torch.int64", "Long"},
    [FLOAT16] = {2, "torch.float16", "Half"},
    [BFLOAT16] = {2, "torch.bfloat16", "BFloat16"},
    [FLOAT32] = {4, "torch.float32", "Float"},
    [FLOAT64] = {8, "torch.float64", "Double"},
};

size_t dtype_bytes(DType dtype)
{
    return facts[dtype].n_bytes;
}

const char *dtype_name(DType dtype)
{
    return facts[dtype].name;
}

const char *dtype_scalar_name(DType dtype)
{
    return facts[dtype].scalar_name;
}

bool dtype_is_floating(DType dtype)
{
    return dtype >= FLOAT16;
}

DType dtype_promote(DType a, DType b)
{
    // The two halves have no common half: one lacks range, one precision.
    if ((a == FLOAT16 && b == BFLOAT16) || (a == BFLOAT16 && b == FLOAT16))
        return FLOAT32;
    return a > b ? a : b; // the enum's order is the order of promotion
}
