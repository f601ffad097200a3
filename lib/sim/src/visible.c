/* CUDA_VISIBLE_DEVICES, entry by entry.
 *
 * The first entry says whether the list is of numbers or of UUIDs; an entry of
 * another kind, and any that names no GPU, ends the list there. A GPU named
 * twice empties it. */
#include "visible.h" // defines: this file's interface

#include <ctype.h>  // defines: isdigit, isspace
#include <string.h> // defines: strlen, strncmp, strcspn

typedef struct Text {
    const char *at;
    size_t length;
} Text;

static Text stripped(Text t)
{
    while (t.length > 0 && isspace((unsigned char)t.at[0])) {
        t.at++;
        t.length--;
    }
    while (t.length > 0 && isspace((unsigned char)t.at[t.length - 1]))
        t.length--;
    return t;
}

static bool starts_with(Text t, const char *prefix)
{
    size_t n = strlen(prefix);
    return t.length >= n && strncmp(t.at, prefix, n) == 0;
}

/* Like strtoul: digits up to the first that is none ("1gpu2" is 1); -1 when
 * there is no number or a negative one. */
static int number_of(Text t)
{
    size_t i = t.length > 0 && (t.at[0] == '+' || t.at[0] == '-') ? 1 : 0;
    bool negative = i == 1 && t.at[0] == '-';
    size_t first = i;
    int value = 0;
    for (; i < t.length && isdigit((unsigned char)t.at[i]); i++)
        if (value <= MACHINE_MAX_GPUS)
            value = value * 10 + (t.at[i] - '0');
    return i == first || (negative && value != 0) ? -1 : value;
}

/* The one GPU whose UUID begins like that, or -1. */
static int by_uuid(const Machine *machine, Text t)
{
    int found = -1;
    for (int i = 0; i < machine->n_gpus; i++) {
        if (strncmp(machine->gpus[i].uuid, t.at, t.length) != 0)
            continue;
        if (found >= 0)
            return -1; // ambiguous
        found = i;
    }
    return found;
}

/* All GPUs, the fastest first; as they stand on the bus among equals. */
static void sort_fastest(const Machine *machine, int order[])
{
    for (int i = 1; i < machine->n_gpus; i++) {
        int moving = order[i];
        double rate = machine->gpus[moving].flops_per_s[RATE_FLOAT32];
        int j = i;
        for (; j > 0 &&
               machine->gpus[order[j - 1]].flops_per_s[RATE_FLOAT32] < rate;
             j--)
            order[j] = order[j - 1];
        order[j] = moving;
    }
}

static bool contains(const int list[], int n, int value)
{
    for (int i = 0; i < n; i++)
        if (list[i] == value)
            return true;
    return false;
}

int visible_devices(const Machine *machine, const char *value, bool pci_order,
                    int physical[MACHINE_MAX_GPUS])
{
    int order[MACHINE_MAX_GPUS];
    for (int i = 0; i < machine->n_gpus; i++)
        order[i] = i;
    if (!pci_order)
        sort_fastest(machine, order);
    if (value == NULL) {
        memcpy(physical, order, sizeof order);
        return machine->n_gpus;
    }
    int n = 0;
    int kind = -1; // 0 numbers, 1 UUIDs
    for (const char *at = value;; at++) {
        Text entry = stripped((Text){at, strcspn(at, ",")});
        if (starts_with(entry, "MIG-"))
            break; // no card here is cut into instances
        int is_uuid = starts_with(entry, "GPU-") ? 1 : 0;
        if (kind >= 0 && is_uuid != kind)
            break;
        kind = is_uuid;
        int gpu = -1;
        if (is_uuid) {
            gpu = by_uuid(machine, entry);
        } else {
            int number = number_of(entry);
            if (number >= 0 && number < machine->n_gpus)
                gpu = order[number];
        }
        if (gpu < 0)
            break;
        if (contains(physical, n, gpu))
            return 0;
        physical[n++] = gpu;
        at += strcspn(at, ",");
        if (*at == '\0')
            break;
    }
    return n;
}
