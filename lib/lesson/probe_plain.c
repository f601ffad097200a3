/* The plain half of a probe: seeded inputs, and facts on a descriptor. */
#include "lesson/probe_plain.h"

#include "lesson/crash.h" // defines: probe__report_signals
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A probe about tensors has it.
#pragma weak probe__tensors_end

enum { EXIT_SKIP = 77, EXIT_BROKEN = 70 };

static struct {
    uint64_t seed;
    uint64_t state;
    int fd;
    char nonce[64];
    int crash_fd; // -1: nobody asks where a signal ends the program
    long look_ms;
    bool begun;
} probe = {.seed = 1, .state = 1, .fd = STDOUT_FILENO, .crash_fd = -1};

_Noreturn void probe__broken(const char *why)
{
    fprintf(stderr, "probe: %s\n", why);
    fflush(NULL);
    _exit(EXIT_BROKEN);
}

static void take_word(const char *option, char *value)
{
    if (strcmp(option, "--seed") == 0)
        probe.seed = strtoull(value, NULL, 10);
    else if (strcmp(option, "--facts-fd") == 0)
        probe.fd = (int)strtol(value, NULL, 10);
    else if (strcmp(option, "--nonce") == 0)
        snprintf(probe.nonce, sizeof probe.nonce, "%s", value);
    else if (strcmp(option, "--crash-fd") == 0)
        probe.crash_fd = (int)strtol(value, NULL, 10);
    else if (strcmp(option, "--look-ms") == 0)
        probe.look_ms = strtol(value, NULL, 10);
    else
        probe__broken("the options are --seed N, --facts-fd N, --nonce WORD, "
                      "--crash-fd N, --look-ms N");
    memset(value, 'x', strlen(value));
}

void probe_begin(int argc, char **argv)
{
    if (argc % 2 == 0)
        probe__broken("an option is without its value");
    for (int i = 1; i + 1 < argc; i += 2)
        take_word(argv[i], argv[i + 1]);
    probe.state = probe.seed;
    probe.begun = true;
    if (probe.crash_fd >= 0)
        probe__report_signals(probe.crash_fd, probe.look_ms);
}

static void write_all(const char *text, size_t n_bytes)
{
    if (!probe.begun)
        probe__broken("probe_begin() comes first");
    if (probe.fd == STDOUT_FILENO)
        fflush(stdout); // keep what was printed before it in its place
    while (n_bytes > 0) {
        ssize_t n = write(probe.fd, text, n_bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            probe__broken("the facts' descriptor is closed");
        text += n;
        n_bytes -= (size_t)n;
    }
}

int probe_end(void)
{
    if (probe__tensors_end)
        probe__tensors_end();
    char line[96];
    int n = snprintf(line, sizeof line, "{\"end\": \"%s\"}\n", probe.nonce);
    write_all(line, (size_t)n);
    return 0;
}

_Noreturn void probe_skip(const char *why)
{
    printf("%s\n", why);
    exit(EXIT_SKIP);
}

uint64_t probe_seed(void)
{
    return probe.seed;
}

/* SplitMix64: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number
 * Generators", OOPSLA 2014. */
static uint64_t next(void)
{
    uint64_t z = probe.state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int64_t probe_int(int64_t lo, int64_t hi)
{
    if (lo > hi)
        probe__broken("probe_int(lo, hi) needs lo <= hi");
    uint64_t span = (uint64_t)hi - (uint64_t)lo + 1;
    uint64_t step = span ? next() % span : next();
    return (int64_t)((uint64_t)lo + step);
}

double probe_real(double lo, double hi)
{
    return lo + (hi - lo) * ((double)(next() >> 11) * 0x1p-53);
}

int probe_choice(int n)
{
    return (int)probe_int(0, n - 1);
}

char *probe__json_text(const char *text)
{
    char *out = NULL;
    size_t n_bytes = 0;
    FILE *file = open_memstream(&out, &n_bytes);
    if (!file)
        probe__broken("no memory for a fact");
    fputc('"', file);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(file, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            fprintf(file, "\\u%04x", (unsigned)*c);
        else
            fputc(*c, file);
    }
    fputc('"', file);
    fclose(file);
    return out;
}

void probe__json_real(char *out, int size, double value)
{
    if (isnan(value))
        snprintf(out, (size_t)size, "\"nan\"");
    else if (isinf(value))
        snprintf(out, (size_t)size, value > 0 ? "\"inf\"" : "\"-inf\"");
    else
        snprintf(out, (size_t)size, "%.17g", value);
}

void probe__state(const char *name, const char *kind, const char *parts)
{
    char *line = NULL;
    size_t n_bytes = 0;
    FILE *file = open_memstream(&line, &n_bytes);
    if (!file)
        probe__broken("no memory for a fact");
    char *quoted = probe__json_text(name);
    fprintf(file, "{\"n\": %s, \"k\": \"%s\", %s}\n", quoted, kind, parts);
    fclose(file);
    write_all(line, n_bytes);
    free(quoted);
    free(line);
}

void fact_int(const char *name, int64_t value)
{
    char parts[48];
    snprintf(parts, sizeof parts, "\"v\": %lld", (long long)value);
    probe__state(name, "int", parts);
}

void fact_real(const char *name, double value)
{
    char number[40], parts[48];
    probe__json_real(number, sizeof number, value);
    snprintf(parts, sizeof parts, "\"v\": %s", number);
    probe__state(name, "real", parts);
}

void fact_bool(const char *name, bool value)
{
    probe__state(name, "bool", value ? "\"v\": true" : "\"v\": false");
}

void fact_text(const char *name, const char *value)
{
    if (!value) {
        probe__state(name, "text", "\"v\": null");
        return;
    }
    char *quoted = probe__json_text(value);
    size_t size = strlen(quoted) + 8;
    char *parts = malloc(size);
    if (!parts)
        probe__broken("no memory for a fact");
    snprintf(parts, size, "\"v\": %s", quoted);
    probe__state(name, "text", parts);
    free(parts);
    free(quoted);
}
