/* One number in print, as PyTorch prints it.
 *
 * PyTorch looks at all the numbers that will be seen, then chooses one form for
 * them: whole ("1."), fixed ("1.5000") or scientific ("1.5000e+03").
 */
#include "tensor/number_format.h" // defines: Numbers, NumberFormat
#include "base/half.h"            // defines: Float16, Bfloat16
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

double number_real(DType dtype, const void *data, int64_t i)
{
    switch (dtype) {
    case FLOAT16:
        return float_of_float16(((const Float16 *)data)[i]);
    case BFLOAT16:
        return float_of_bfloat16(((const Bfloat16 *)data)[i]);
    case FLOAT32:
        return ((const float *)data)[i];
    case FLOAT64:
        return ((const double *)data)[i];
    default:
        return (double)number_integer(dtype, data, i);
    }
}

int64_t number_integer(DType dtype, const void *data, int64_t i)
{
    switch (dtype) {
    case BOOL:
        return ((const uint8_t *)data)[i] != 0;
    case UINT8:
        return ((const uint8_t *)data)[i];
    case INT32:
        return ((const int32_t *)data)[i];
    default:
        return ((const int64_t *)data)[i];
    }
}

typedef struct Walk {
    Shape shape;
    bool summarised;
    void (*visit)(void *context, int64_t i);
    void *context;
} Walk;

static void walk_dim(const Walk *walk, int dim, int64_t first, int64_t count)
{
    if (dim == walk->shape.n_dims) {
        walk->visit(walk->context, first);
        return;
    }
    int64_t n = walk->shape.dims[dim];
    int64_t step = n > 0 ? count / n : 0;
    for (int64_t i = 0; i < n; i++) {
        if (walk->summarised && i == EDGE_ITEMS && n > 2 * EDGE_ITEMS)
            i = n - EDGE_ITEMS;
        walk_dim(walk, dim + 1, first + i * step, step);
    }
}

void numbers_each_shown(const Numbers *numbers,
                        void (*visit)(void *context, int64_t i), void *context)
{
    int64_t count = shape_count(numbers->shape);
    Walk walk = {numbers->shape, count > SUMMARY_ABOVE, visit, context};
    walk_dim(&walk, 0, 0, count);
}

/* ---- choosing the form ------------------------------------------------- */

typedef struct Survey {
    const Numbers *numbers;
    NumberFormat format;
    double low, high; // of the sizes that are finite and not zero
    bool any;
} Survey;

static int integer_text(const Numbers *numbers, int64_t i, char *out)
{
    int64_t value = number_integer(numbers->dtype, numbers->data, i);
    if (numbers->dtype == BOOL)
        return sprintf(out, "%s", value ? "True" : "False");
    return sprintf(out, "%" PRId64, value);
}

static int real_text(const NumberFormat *format, double value, char *out)
{
    if (isnan(value))
        return sprintf(out, "nan");
    if (isinf(value))
        return sprintf(out, value < 0 ? "-inf" : "inf");
    if (format->scientific)
        return sprintf(out, "%.4e", value);
    if (format->whole)
        return sprintf(out, "%.0f.", value);
    return sprintf(out, "%.4f", value);
}

static void survey_size(void *context, int64_t i)
{
    Survey *survey = context;
    const Numbers *numbers = survey->numbers;
    double value = number_real(numbers->dtype, numbers->data, i);
    double size = fabs(value);
    if (!isfinite(value) || size == 0)
        return;
    survey->low = !survey->any || size < survey->low ? size : survey->low;
    survey->high = !survey->any || size > survey->high ? size : survey->high;
    survey->any = true;
    if (value != ceil(value))
        survey->format.whole = false;
}

static void survey_width(void *context, int64_t i)
{
    Survey *survey = context;
    const Numbers *numbers = survey->numbers;
    char text[NUMBER_TEXT_BYTES];
    int width;
    if (survey->format.is_floating) {
        double value = number_real(numbers->dtype, numbers->data, i);
        if (!isfinite(value) || value == 0)
            return; // these do not widen the column
        width = real_text(&survey->format, value, text);
    } else {
        width = integer_text(numbers, i, text);
    }
    if (width > survey->format.width)
        survey->format.width = width;
}

NumberFormat number_format_choose(const Numbers *numbers)
{
    Survey survey = {.numbers = numbers};
    survey.format =
        (NumberFormat){.is_floating = dtype_is_floating(numbers->dtype),
                       .whole = true,
                       .width = 1};
    if (survey.format.is_floating) {
        numbers_each_shown(numbers, survey_size, &survey);
        survey.format.scientific =
            survey.any &&
            (survey.high / survey.low > 1000 || survey.high > 1e8 ||
             (!survey.format.whole && survey.low < 1e-4));
    }
    numbers_each_shown(numbers, survey_width, &survey);
    return survey.format;
}

void number_format_write(const NumberFormat *format, const Numbers *numbers,
                         int64_t i, char *out)
{
    char text[NUMBER_TEXT_BYTES];
    if (format->is_floating)
        real_text(format, number_real(numbers->dtype, numbers->data, i), text);
    else
        integer_text(numbers, i, text);
    snprintf(out, NUMBER_TEXT_BYTES, "%*s", format->width, text);
}
