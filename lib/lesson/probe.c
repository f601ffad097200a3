/* The tensor half of a probe: devices, tensors, failures, the ledger. */
#include "lesson/probe.h"

#include "array/dtype.h"   // defines: dtype_name, dtype_is_floating
#include "array/shape.h"   // defines: Shape, MAX_DIMS
#include "base/status.h"   // defines: status_take, status_sentence
#include "device/clock.h"  // defines: clock_now_ns
#include "device/ledger.h" // defines: ledger_now, ledger_since
#include "tensor/scope.h"  // defines: scope_depth
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 4096 };

static Ledger mark;
static int64_t mark_ns;
static int64_t own_ns; // spent on facts since the mark

void probe_need_devices(int n)
{
    int have = cuda_device_count();
    if (have >= n)
        return;
    char why[96];
    snprintf(why, sizeof why, "this exercise needs %d GPUs, and %d %s visible",
             n, have, have == 1 ? "is" : "are");
    probe_skip(why);
}

void probe__tensors_end(void)
{
    fact_int("scopes left open", scope_depth());
}

void fact_device(const char *name, Device device)
{
    char parts[64];
    snprintf(parts, sizeof parts, "\"v\": \"%s\"", device_str(device).text);
    probe__state(name, "device", parts);
}

static void print_shape(FILE *file, Shape shape)
{
    for (int i = 0; i < shape.n_dims; i++)
        fprintf(file, "%s%" PRId64, i ? ", " : "", shape.dims[i]);
}

static void print_values(FILE *file, const Tensor *x)
{
    int64_t n = tensor_numel(x);
    double *values = malloc((size_t)(n ? n : 1) * sizeof *values);
    if (!values)
        probe__broken("no memory for a fact");
    ledger_printing_begin();
    Status status = n ? tensor_read(x, values, n) : OK;
    ledger_printing_end();
    if (status != OK) { // an asynchronous fault surfaces here: a fact too
        char *sentence = probe__json_text(status_sentence());
        fprintf(file, "%s", sentence);
        free(sentence);
        status_take();
        n = 0;
    }
    bool whole = !dtype_is_floating(tensor_dtype(x));
    for (int64_t i = 0; i < n; i++) {
        char number[40];
        if (whole)
            snprintf(number, sizeof number, "%.0f", values[i]);
        else
            probe__json_real(number, sizeof number, values[i]);
        fprintf(file, "%s%s", i ? ", " : "", number);
    }
    free(values);
}

static void state_tensor(const char *name, const Tensor *x)
{
    if (tensor_numel(x) > MOST_ELEMENTS)
        probe__broken("fact_tensor states at most 4096 elements");
    char *parts = NULL;
    size_t n_bytes = 0;
    FILE *file = open_memstream(&parts, &n_bytes);
    if (!file)
        probe__broken("no memory for a fact");
    const char *dtype = dtype_name(tensor_dtype(x));
    const char *dot = strchr(dtype, '.'); // torch.float32
    fprintf(file, "\"dtype\": \"%s\", \"shape\": [", dot ? dot + 1 : dtype);
    print_shape(file, tensor_shape(x));
    fprintf(file, "], \"device\": \"%s\", \"v\": [",
            device_str(tensor_device(x)).text);
    print_values(file, x);
    fputc(']', file);
    fclose(file);
    probe__state(name, "tensor", parts);
    free(parts);
}

void fact_tensor(const char *name, const Tensor *x)
{
    int64_t before_ns = clock_now_ns();
    if (x)
        state_tensor(name, x);
    else
        probe__state(name, "tensor", "\"v\": null");
    own_ns += clock_now_ns() - before_ns;
}

void fact_status(const char *name)
{
    Status code = status_take();
    if (code == OK) {
        probe__state(name, "status", "\"v\": null");
        return;
    }
    char *sentence = probe__json_text(status_sentence());
    size_t size = strlen(sentence) + 64;
    char *parts = malloc(size);
    if (!parts)
        probe__broken("no memory for a fact");
    snprintf(parts, size, "\"code\": \"%s\", \"v\": %s", status_type(code),
             sentence);
    probe__state(name, "status", parts);
    free(parts);
    free(sentence);
}

static LedgerCount copies_since_mark(void)
{
    Ledger since = ledger_since(&mark);
    const LedgerCount ways[] = {since.host_to_device, since.device_to_host,
                                since.device_to_device, since.peer};
    LedgerCount all = {0, 0};
    for (int i = 0; i < 4; i++) {
        all.n_copies += ways[i].n_copies;
        all.n_bytes += ways[i].n_bytes;
    }
    return all;
}

void fact_copies(const char *name)
{
    fact_int(name, copies_since_mark().n_copies);
}

void fact_copied_bytes(const char *name)
{
    fact_int(name, copies_since_mark().n_bytes);
}

void fact_launches(const char *name)
{
    fact_int(name, ledger_since(&mark).n_launches);
}

void fact_waits(const char *name)
{
    fact_int(name, ledger_since(&mark).n_synchronizations);
}

void fact_elapsed_ns(const char *name)
{
    char parts[48];
    snprintf(parts, sizeof parts, "\"v\": %" PRId64,
             clock_now_ns() - mark_ns - own_ns);
    probe__state(name, "ns", parts);
}

void probe_mark(void)
{
    mark = ledger_now();
    own_ns = 0;
    mark_ns = clock_now_ns();
}
