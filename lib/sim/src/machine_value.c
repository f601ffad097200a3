/* The values of machine files: numbers with units.
 *
 * Nothing here depends on the locale: a decimal point is a point. */
#include "machine_parse.h" // defines: ValueKind, machine_value

#include <stdlib.h>
#include <string.h>

typedef struct Unit {
    const char *name;
    double factor;
} Unit;

static const Unit byte_units[] = {{"B", 1},
                                  {"kB", 1e3},
                                  {"MB", 1e6},
                                  {"GB", 1e9},
                                  {"KiB", 1024},
                                  {"MiB", 1024.0 * 1024},
                                  {"GiB", 1024.0 * 1024 * 1024},
                                  {NULL, 0}};
static const Unit time_units[] = {
    {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {NULL, 0}};
static const Unit clock_units[] = {
    {"kHz", 1}, {"MHz", 1e3}, {"GHz", 1e6}, {NULL, 0}};
static const Unit byte_rates[] = {{"B/s", 1},    {"kB/s", 1e3},  {"MB/s", 1e6},
                                  {"GB/s", 1e9}, {"TB/s", 1e12}, {NULL, 0}};
static const Unit flop_rates[] = {
    {"FLOP/s", 1}, {"MFLOP/s", 1e6}, {"GFLOP/s", 1e9}, {"TFLOP/s", 1e12},
    {"OP/s", 1},   {"TOP/s", 1e12},  {NULL, 0}};
static const Unit per_byte_units[] = {{"ns/B", 1}, {NULL, 0}};

static const char *skip_spaces(const char *text)
{
    while (*text == ' ' || *text == '\t')
        text++;
    return text;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A number such as 12.35; no sign, no exponent. NULL: there is none. */
static const char *read_number(const char *text, double *out)
{
    double mantissa = 0, divisor = 1;
    int n_digits = 0;
    for (; is_digit(*text); text++, n_digits++)
        mantissa = mantissa * 10 + (*text - '0');
    if (*text == '.') {
        for (text++; is_digit(*text); text++, n_digits++) {
            mantissa = mantissa * 10 + (*text - '0');
            divisor *= 10;
        }
    }
    if (n_digits == 0 || n_digits > 15)
        return NULL;
    *out = mantissa / divisor;
    return text;
}

/* A number, blanks, and one of these units. NULL: not so. */
static const char *read_quantity(const char *text, const Unit *units,
                                 double *out)
{
    text = read_number(skip_spaces(text), out);
    if (!text)
        return NULL;
    text = skip_spaces(text);
    for (const Unit *unit = units; unit->name; unit++) {
        size_t n = strlen(unit->name);
        if (strncmp(text, unit->name, n) == 0 &&
            strchr(" \t", text[n]) != NULL) { // also the end of the text
            *out *= unit->factor;
            return skip_spaces(text + n);
        }
    }
    return NULL;
}

static bool whole_quantity(const char *text, const Unit *units, double low,
                           double high, double *out)
{
    const char *rest = read_quantity(text, units, out);
    return rest && *rest == '\0' && *out >= low && *out <= high;
}

/* A rate, perhaps times a factor up to 1. */
static bool read_rate(const char *text, const Unit *units, double *out)
{
    const char *rest = read_quantity(text, units, out);
    if (!rest || *out > 1e18)
        return false;
    if (*rest == '*') {
        double factor;
        rest = read_number(skip_spaces(rest + 1), &factor);
        if (!rest || factor <= 0 || factor > 1)
            return false;
        *out *= factor;
        rest = skip_spaces(rest);
    }
    return *rest == '\0' && *out > 0;
}

static bool read_link(const char *text, LinkCost *out)
{
    double t0;
    const char *rest = read_quantity(text, time_units, &t0);
    if (!rest || *rest != '+' || t0 > 1e12)
        return false;
    out->t0_ns = (int64_t)(t0 + 0.5);
    return read_rate(rest + 1, byte_rates, &out->bytes_per_s);
}

/* An int in [low, high], digits only. */
static const char *read_int(const char *text, int base, long low, long high,
                            int *out)
{
    if (!is_digit(*text) && !(base == 16 && strchr("abcdefABCDEF", *text)))
        return NULL;
    if (*text == '\0')
        return NULL;
    char *end;
    unsigned long value = strtoul(text, &end, base);
    if (value > (unsigned long)high || value < (unsigned long)low)
        return NULL;
    *out = (int)value;
    return end;
}

/* Two fields of a text: "7.0" or "89:00.0" are split at these characters. */
static bool read_parts(const char *text, const char *separators, int base,
                       long high, int *out)
{
    for (;; text++, separators++) {
        text = read_int(text, base, 0, high, out++);
        if (!text || *text != *separators)
            return false;
        if (*text == '\0')
            return true;
    }
}

static bool read_pci(const char *text, int out[3])
{
    int parts[4];
    if (!read_parts(text, "::.", 16, 0xffff, parts) || parts[1] > 255 ||
        parts[2] > 31 || parts[3] != 0)
        return false;
    memcpy(out, parts, 3 * sizeof(int));
    return true;
}

static bool read_hex(const char *text, unsigned *out)
{
    if (strncmp(text, "0x", 2) != 0 || strlen(text) != 10 ||
        strspn(text + 2, "0123456789abcdefABCDEF") != 8)
        return false;
    *out = (unsigned)strtoul(text + 2, NULL, 16);
    return true;
}

static const char *read_text(const char *text, size_t room, char *out)
{
    size_t n = strlen(text);
    for (size_t i = 0; i < n; i++) {
        if ((unsigned char)text[i] < ' ' || (unsigned char)text[i] > '~')
            return "plain ASCII text";
    }
    if (n == 0 || n >= room)
        return "a text, no longer than its field in nvidia-smi";
    memcpy(out, text, n + 1);
    return NULL;
}

static const char *read_whole(ValueKind kind, const char *text, int *out)
{
    long low = kind == VALUE_COUNT ? 1 : 0;
    const char *rest = read_int(text, 10, low, 1000000000, out);
    if (rest && *rest == '\0')
        return NULL;
    return low ? "a whole number from 1 on" : "a whole number from 0 on";
}

static const char *read_yes_no(const char *text, bool *out)
{
    *out = strcmp(text, "yes") == 0;
    return *out || strcmp(text, "no") == 0 ? NULL : "yes or no";
}

const char *machine_value(ValueKind kind, size_t room, const char *text,
                          void *out)
{
    double number = 0;
    switch (kind) {
    case VALUE_TEXT:
        return read_text(text, room, out);
    case VALUE_COUNT:
    case VALUE_VERSION:
        return read_whole(kind, text, out);
    case VALUE_YES_NO:
        return read_yes_no(text, out);
    case VALUE_BYTES:
        if (!whole_quantity(text, byte_units, 0, 1e15, &number))
            return "a size such as 32510 MiB";
        *(size_t *)out = (size_t)(number + 0.5);
        return NULL;
    case VALUE_NS:
        if (!whole_quantity(text, time_units, 0, 1e12, &number))
            return "a time such as 2.75 us";
        *(int64_t *)out = (int64_t)(number + 0.5);
        return NULL;
    case VALUE_NS_PER_B:
        if (!whole_quantity(text, per_byte_units, 0, 1e6, out))
            return "a cost such as 0.1 ns/B";
        return NULL;
    case VALUE_KHZ:
        if (!whole_quantity(text, clock_units, 1, 1e9, &number))
            return "a frequency such as 1380 MHz";
        *(int *)out = (int)(number + 0.5);
        return NULL;
    case VALUE_BYTE_RATE:
        return read_rate(text, byte_rates, out)
                   ? NULL
                   : "a rate such as 898 GB/s or 898 GB/s * 0.86";
    case VALUE_FLOP_RATE:
        return read_rate(text, flop_rates, out)
                   ? NULL
                   : "a rate such as 14.13 TFLOP/s or 14.13 TFLOP/s * 0.9";
    case VALUE_LINK:
        return read_link(text, out)
                   ? NULL
                   : "a time and a rate such as 2.75 us + 12.35 GB/s";
    case VALUE_PCI:
        return read_pci(text, out) ? NULL : "a bus id such as 00000000:89:00.0";
    case VALUE_CAPABILITY:
        return read_parts(text, ".", 10, 99, out) ? NULL
                                                  : "a version such as 7.0";
    case VALUE_HEX:
        return read_hex(text, out) ? NULL : "eight digits as in 0x1db610de";
    }
    return "a kind of value that exists";
}
