/* A tensor's repr: brackets, line breaks, summary and suffixes.
 *
 *   tensor([[0.4963, 0.7682],        the indent is the length of "tensor("
 *           [0.0885, 0.1320]], device='cuda:7', grad_fn=<AddmmBackward>)
 *   ^indent^                           ^ suffixes, wrapped at 80 characters
 *
 * source  PyTorch 1.13, torch.set_printoptions (linewidth 80, threshold 1000,
 *         edgeitems 3); compared by fuzzing
 */
#include "tensor/repr.h" // defines: ReprFacts, repr_add
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char prefix[] = "tensor(";
enum { LINE_WIDTH = 80, INDENT = sizeof prefix - 1 };

typedef struct Body {
    Text *out;
    const Numbers *numbers;
    NumberFormat format;
    bool summarised;
} Body;

static void add_break(Text *out, int n_lines, int n_spaces)
{
    for (int i = 0; i < n_lines; i++)
        text_add(out, "\n");
    text_addf(out, "%*s", n_spaces, "");
}

static void add_number(const Body *body, int64_t i)
{
    char text[NUMBER_TEXT_BYTES];
    number_format_write(&body->format, body->numbers, i, text);
    text_add(body->out, text);
}

/* One innermost row: items joined by commas, as many a line as fit. */
static void add_row(const Body *body, int64_t n, int64_t first, int indent)
{
    bool cut = body->summarised && n > 2 * EDGE_ITEMS;
    int64_t n_items = cut ? 2 * EDGE_ITEMS + 1 : n; // "..." counts as one
    int64_t per_line = (LINE_WIDTH - indent) / (body->format.width + 2);
    if (per_line < 1)
        per_line = 1;
    text_add(body->out, "[");
    for (int64_t item = 0; item < n_items; item++) {
        if (item > 0 && item % per_line == 0) {
            text_add(body->out, ",");
            add_break(body->out, 1, indent + 1);
        } else if (item > 0) {
            text_add(body->out, ", ");
        }
        if (cut && item == EDGE_ITEMS)
            text_add(body->out, " ...");
        else if (cut && item > EDGE_ITEMS)
            add_number(body, first + n - n_items + item);
        else
            add_number(body, first + item);
    }
    text_add(body->out, "]");
}

static void add_dim(const Body *body, int dim, int64_t first, int64_t count,
                    int indent)
{
    Shape shape = body->numbers->shape;
    if (dim == shape.n_dims) {
        add_number(body, first);
        return;
    }
    int64_t n = shape.dims[dim];
    if (dim == shape.n_dims - 1) {
        add_row(body, n, first, indent);
        return;
    }
    int n_lines = shape.n_dims - dim - 1;
    text_add(body->out, "[");
    for (int64_t i = 0; i < n; i++) {
        if (i > 0) {
            text_add(body->out, ",");
            add_break(body->out, n_lines, indent + 1);
        }
        if (body->summarised && n > 2 * EDGE_ITEMS && i == EDGE_ITEMS) {
            text_add(body->out, "...,");
            add_break(body->out, n_lines, indent + 1);
            i = n - EDGE_ITEMS;
        }
        add_dim(body, dim + 1, first + i * (count / n), count / n, indent + 1);
    }
    text_add(body->out, "]");
}

static void add_body(Text *out, const Numbers *numbers)
{
    int64_t count = shape_count(numbers->shape);
    if (count == 0) {
        text_add(out, "[]");
        return;
    }
    Body body = {out, numbers, number_format_choose(numbers),
                 count > SUMMARY_ABOVE};
    add_dim(&body, 0, 0, count, INDENT);
}

/* "size=(0, 3)" */
static void size_suffix(Shape shape, char *out, size_t n_bytes)
{
    size_t used = (size_t)snprintf(out, n_bytes, "size=(");
    for (int i = 0; i < shape.n_dims; i++)
        used += (size_t)snprintf(out + used, n_bytes - used, "%s%" PRId64,
                                 i > 0 ? ", " : "", shape.dims[i]);
    snprintf(out + used, n_bytes - used, ")");
}

/* One more suffix, on a new line when this one is full. `line` counts the
 * characters so far, with the allowance that PyTorch makes for the bracket. */
static void add_suffix(Text *out, const char *suffix, size_t *line)
{
    size_t length = strlen(suffix);
    if (*line + length + 2 > LINE_WIDTH) {
        text_add(out, ",");
        add_break(out, 1, INDENT);
        *line = INDENT + length;
    } else {
        text_add(out, ", ");
        *line += length + 2;
    }
    text_add(out, suffix);
}

static bool shows_dtype(const Numbers *numbers)
{
    if (numbers->dtype == FLOAT32)
        return false;
    bool plain = numbers->dtype == INT64 || numbers->dtype == BOOL;
    return !plain || shape_count(numbers->shape) == 0;
}

static size_t last_line(const Text *text, size_t start)
{
    size_t length = 0;
    while (text->length - length > start &&
           text->data[text->length - length - 1] != '\n')
        length++;
    return length;
}

void repr_add(Text *out, const ReprFacts *facts)
{
    const Numbers *numbers = &facts->numbers;
    char suffix[256];
    size_t start = out->length;
    text_add(out, prefix);
    add_body(out, numbers);
    if (out->failed)
        return;
    size_t line = last_line(out, start) + 2;
    if (facts->device != NULL) {
        snprintf(suffix, sizeof suffix, "device='%s'", facts->device);
        add_suffix(out, suffix, &line);
    }
    if (shape_count(numbers->shape) == 0 && numbers->shape.n_dims != 1) {
        size_suffix(numbers->shape, suffix, sizeof suffix);
        add_suffix(out, suffix, &line);
    }
    if (shows_dtype(numbers)) {
        snprintf(suffix, sizeof suffix, "dtype=%s", dtype_name(numbers->dtype));
        add_suffix(out, suffix, &line);
    }
    if (facts->grad_fn != NULL) {
        snprintf(suffix, sizeof suffix, "grad_fn=<%s>", facts->grad_fn);
        add_suffix(out, suffix, &line);
    } else if (facts->requires_grad) {
        add_suffix(out, "requires_grad=True", &line);
    }
    text_add(out, ")");
}
