/* Host arrays as NumPy prints them: "[1. 1. 1.]", without commas.
 *
 * Unlike PyTorch, NumPy shows as many digits as it takes to tell a number from
 * its neighbours (at most 8 after the point), and pads the column.
 *
 * source  NumPy 1.24, numpy.array2string (behaviour), compared by fuzzing
 */
#include "base/alloc.h"           // defines: mem_free
#include "base/half.h"            // defines: float16_of_float
#include "base/text.h"            // defines: Text
#include "tensor/format.h"        // defines: numpy_str
#include "tensor/number_format.h" // defines: Numbers, number_real
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 75, DIGITS = 8, WORD_BYTES = 512 };

/* ---- the shortest digits that name a number ----------------------------- */

static double rounded_to(DType dtype, double value)
{
    if (dtype == FLOAT32)
        return (float)value;
    if (dtype == FLOAT16)
        return float_of_float16(float16_of_float((float)value));
    if (dtype == BFLOAT16)
        return float_of_bfloat16(bfloat16_of_float((float)value));
    return value;
}

/* Digits after the first that "%.*e" needs so that reading gives value back. */
static int shortest_precision(DType dtype, double value)
{
    for (int precision = 0; precision < 16; precision++) {
        char text[64];
        snprintf(text, sizeof text, "%.*e", precision, value);
        if (rounded_to(dtype, strtod(text, NULL)) == value)
            return precision;
    }
    return 16;
}

/* Removes zeros from the end of the digits after the point; keeps the point. */
static void trim_zeros(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '0')
        text[--length] = 0;
}

/* "0.1", "1.", "67108872.": the shortest digits, at most `limit` after the
 * point, in place. */
static void positional(DType dtype, double value, int limit, char *out)
{
    int precision = shortest_precision(dtype, value);
    char text[64];
    snprintf(text, sizeof text, "%.*e", precision, value);
    int exponent = atoi(strchr(text, 'e') + 1);
    int n_after = precision - exponent; // digits after the point
    if (n_after > limit)
        snprintf(out, WORD_BYTES, "%.*f", limit, value);
    else if (n_after > 0)
        snprintf(out, WORD_BYTES, "%.*f", n_after, value);
    else
        snprintf(out, WORD_BYTES, "%.0f.", value);
    if (strchr(out, '.') != NULL && n_after > 0)
        trim_zeros(out);
}

/* "1.5e+08" with the shortest digits, at most `limit` after the point, or with
 * exact ones when more than that, `min_digits`, are asked for. */
static void scientific(DType dtype, double value, int limit, int min_digits,
                       int exponent_digits, char *out)
{
    int precision = shortest_precision(dtype, value);
    if (precision > limit)
        precision = limit;
    if (precision < min_digits)
        precision = min_digits;
    char text[64];
    snprintf(text, sizeof text, "%.*e", precision, value);
    char *exponent = strchr(text, 'e');
    int power = atoi(exponent + 1);
    *exponent = 0;
    if (strchr(text, '.') == NULL)
        strcat(text, ".");
    else if (min_digits == 0)
        trim_zeros(text);
    snprintf(out, WORD_BYTES, "%se%c%0*d", text, power < 0 ? '-' : '+',
             exponent_digits, abs(power));
}

/* ---- one form for the whole array --------------------------------------- */

typedef struct Column {
    const Numbers *numbers;
    bool is_floating, scientific;
    int left, right; // characters before and after the point
    int exponent_digits;
    double low, high; // of the sizes that are finite and not zero
    bool any, any_finite, any_strange, any_minus_infinity;
} Column;

static void survey_size(void *context, int64_t i)
{
    Column *column = context;
    double value =
        number_real(column->numbers->dtype, column->numbers->data, i);
    double size = fabs(value);
    column->any_finite |= isfinite(value) != 0;
    column->any_strange |= !isfinite(value);
    column->any_minus_infinity |= isinf(value) && value < 0;
    if (!isfinite(value) || size == 0)
        return;
    column->low = !column->any || size < column->low ? size : column->low;
    column->high = !column->any || size > column->high ? size : column->high;
    column->any = true;
}

static int longer(int a, size_t b)
{
    return (size_t)a > b ? a : (int)b;
}

static void survey_width(void *context, int64_t i)
{
    Column *column = context;
    DType dtype = column->numbers->dtype;
    char text[WORD_BYTES];
    if (!column->is_floating) {
        int64_t value = number_integer(dtype, column->numbers->data, i);
        snprintf(text, sizeof text, "%" PRId64, value);
        column->left = longer(column->left, strlen(text));
        return;
    }
    double value = number_real(dtype, column->numbers->data, i);
    if (!isfinite(value))
        return;
    if (column->scientific) {
        scientific(dtype, value, DIGITS, 0, 2, text);
        char *exponent = strchr(text, 'e');
        column->exponent_digits =
            longer(column->exponent_digits, strlen(exponent) - 2);
        *exponent = 0;
    } else {
        positional(dtype, value, DIGITS, text);
    }
    char *point = strchr(text, '.');
    column->left = longer(column->left, (size_t)(point - text));
    column->right = longer(column->right, strlen(point + 1));
}

static double quotient(DType dtype, double high, double low)
{
    return rounded_to(dtype,
                      dtype == FLOAT64 ? high / low : (float)high / (float)low);
}

static Column column_choose(const Numbers *numbers)
{
    Column column = {.numbers = numbers,
                     .is_floating = dtype_is_floating(numbers->dtype),
                     .exponent_digits = 0};
    if (numbers->dtype == BOOL) {
        column.left = 5; // " True", "False"
        return column;
    }
    if (column.is_floating) {
        numbers_each_shown(numbers, survey_size, &column);
        column.scientific =
            column.any &&
            (column.high >= 1e8 || column.low < 0.0001 ||
             quotient(numbers->dtype, column.high, column.low) > 1000);
    }
    numbers_each_shown(numbers, survey_width, &column);
    if (column.any_strange) {
        int right = column.right + 1;
        if (column.scientific)
            right += column.exponent_digits + 2;
        column.left = longer(column.left, (size_t)(right < 3 ? 3 - right : 0));
        int infinity = 3 + column.any_minus_infinity;
        column.left = longer(column.left,
                             (size_t)(right < infinity ? infinity - right : 0));
    }
    return column;
}

static void word(const Column *column, int64_t i, char *out)
{
    DType dtype = column->numbers->dtype;
    const void *data = column->numbers->data;
    char text[WORD_BYTES];
    if (!column->is_floating) {
        int64_t value = number_integer(dtype, data, i);
        if (dtype == BOOL)
            snprintf(out, WORD_BYTES, "%*s", column->left,
                     value ? "True" : "False");
        else
            snprintf(out, WORD_BYTES, "%*" PRId64, column->left, value);
        return;
    }
    double value = number_real(dtype, data, i);
    if (!isfinite(value)) {
        int width = column->left + 1 + column->right;
        if (column->scientific)
            width += column->exponent_digits + 2;
        const char *name = isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
        snprintf(out, WORD_BYTES, "%*s", width, name);
        return;
    }
    if (column->scientific)
        scientific(dtype, value, column->right, column->right,
                   column->exponent_digits, text);
    else
        positional(dtype, value, DIGITS, text);
    const char *point = strchr(text, '.');
    int pad_left = column->left - (int)(point - text);
    int width = pad_left + (int)strlen(text);
    int pad_right =
        column->scientific ? 0 : column->right - (int)strlen(point + 1);
    int used = snprintf(out, WORD_BYTES, "%*s", width, text);
    snprintf(out + used, (size_t)(WORD_BYTES - used), "%*s", pad_right, "");
}

/* ---- brackets and lines -------------------------------------------------- */

typedef struct Page {
    Text *out;
    const Column *column;
    bool summarised;
    size_t line_start; // where the current line begins in out
} Page;

static void trim_spaces(Text *text)
{
    while (text->length > 0 && text->data[text->length - 1] == ' ')
        text->data[--text->length] = 0;
}

/* Adds a word to a row, on a new line when this one is full. */
static void add_word(Page *page, const char *text, int indent, int width)
{
    size_t line = page->out->length - page->line_start;
    if (line + strlen(text) > (size_t)width && line > (size_t)indent) {
        trim_spaces(page->out);
        text_add(page->out, "\n");
        page->line_start = page->out->length;
        text_addf(page->out, "%*s", indent, "");
    }
    text_add(page->out, text);
}

static void add_row(Page *page, int64_t first, int64_t n, int indent)
{
    int width = LINE_WIDTH - indent; // one bracket for each dimension
    text_add(page->out, "[");
    for (int64_t i = 0; i < n; i++) {
        char text[WORD_BYTES];
        if (i > 0)
            text_add(page->out, " ");
        if (page->summarised && n > 2 * EDGE_ITEMS && i == EDGE_ITEMS) {
            add_word(page, "...", indent, width);
            text_add(page->out, " ");
            i = n - EDGE_ITEMS;
        }
        word(page->column, first + i, text);
        add_word(page, text, indent, width);
    }
    text_add(page->out, "]");
}

static void add_dim(Page *page, int dim, int64_t first, int64_t count)
{
    Shape shape = page->column->numbers->shape;
    int64_t n = shape.dims[dim];
    if (dim == shape.n_dims - 1) {
        add_row(page, first, n, dim + 1);
        return;
    }
    text_add(page->out, "[");
    for (int64_t i = 0; i < n; i++) {
        bool cut = page->summarised && n > 2 * EDGE_ITEMS && i == EDGE_ITEMS;
        for (int part = 0; part < 1 + cut && i > 0; part++) {
            for (int line = dim + 1; line < shape.n_dims; line++)
                text_add(page->out, "\n");
            page->line_start = page->out->length;
            text_addf(page->out, "%*s", dim + 1, "");
            if (cut && part == 0)
                text_add(page->out, "...");
        }
        if (cut)
            i = n - EDGE_ITEMS;
        add_dim(page, dim + 1, first + i * (count / n), count / n);
    }
    text_add(page->out, "]");
}

/* A single number prints as NumPy's scalars do: "1.0", "1e+16". */
static void add_scalar(Text *out, const Numbers *numbers)
{
    DType dtype = numbers->dtype;
    char text[WORD_BYTES];
    if (!dtype_is_floating(dtype)) {
        int64_t value = number_integer(dtype, numbers->data, 0);
        if (dtype == BOOL)
            text_add(out, value ? "True" : "False");
        else
            text_addf(out, "%" PRId64, value);
        return;
    }
    double value = number_real(dtype, numbers->data, 0);
    double size = fabs(value);
    if (!isfinite(value)) {
        text_add(out, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    } else if (size == 0 || (size >= 1e-4 && size < 1e16)) {
        // The shortest digits, filled up with zeros: 374286850.0
        snprintf(text, sizeof text, "%.*e", shortest_precision(dtype, value),
                 value);
        positional(FLOAT64, strtod(text, NULL), 400, text);
        text_addf(out, "%s%s", text, strchr(text, '.')[1] ? "" : "0");
    } else {
        scientific(dtype, value, 17, 0, 2, text);
        char *exponent = strchr(text, 'e');
        bool bare = exponent[-1] == '.';
        text_addf(out, "%.*s%s", (int)(exponent - text) - bare, text, exponent);
    }
}

char *numpy_str(DType dtype, Shape shape, const void *data)
{
    Text out = {0};
    Numbers numbers = {dtype, shape, data};
    if (shape_count(shape) != 0 && !CHECK_NOT_NULL(data))
        return NULL;
    if (shape.n_dims == 0) {
        add_scalar(&out, &numbers);
    } else if (shape_count(shape) == 0) {
        text_add(&out, "[]");
    } else {
        Column column = column_choose(&numbers);
        Page page = {&out, &column, shape_count(shape) > SUMMARY_ABOVE, 0};
        add_dim(&page, 0, 0, shape_count(shape));
    }
    return text_take(&out);
}
