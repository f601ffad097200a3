/* Machine files: sections, keys and the checks on the whole.
 *
 * One pass over the lines. Every message is "file:line: what was wrong; what
 * is expected"; the first one ends the reading. */
#include "machine_parse.h"  // defines: machine_parse, machine_value
#include "machine_fields.h" // defines: Field, the tables of keys

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE_ROOM = 256 };

typedef enum Section {
    SECTION_NONE,
    SECTION_MACHINE,
    SECTION_HOST,
    SECTION_CALLS,
    SECTION_LINKS,
    SECTION_GPU,
    N_SECTIONS
} Section;

static const char *const section_names[N_SECTIONS] = {
    "", "machine", "host", "calls", "links", "gpu"};
static const Field *const section_fields[N_SECTIONS] = {
    NULL, machine_fields, host_fields, call_fields, link_fields, gpu_fields};

typedef struct Parser {
    const char *label;
    int line;
    Machine *machine;
    Section section;
    int first_gpu, last_gpu; // of the section [gpu first-last]
    bool has_count;          // "gpus" was given
    uint64_t seen[N_SECTIONS];
    uint64_t seen_gpu[MACHINE_MAX_GPUS];
    char *why;
    size_t why_bytes;
} Parser;

static bool __attribute__((format(printf, 2, 3)))
fail(Parser *parser, const char *format, ...)
{
    int n = snprintf(parser->why, parser->why_bytes, "%s:%d: ", parser->label,
                     parser->line);
    if (n >= 0 && (size_t)n < parser->why_bytes) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(parser->why + n, parser->why_bytes - (size_t)n, format,
                  arguments);
        va_end(arguments);
    }
    return false;
}

static void set_defaults(Machine *machine)
{
    memset(machine, 0, sizeof(*machine));
    for (int i = 0; i < MACHINE_MAX_GPUS; i++) {
        machine->gpus[i].has_pools = true;
        SmiColumns *smi = &machine->gpus[i].smi;
        strcpy(smi->persistence, "Off");
        strcpy(smi->display, "Off");
        strcpy(smi->ecc, "N/A");
        strcpy(smi->fan, "N/A");
        strcpy(smi->temperature, "30C");
        strcpy(smi->performance, "P0");
        strcpy(smi->power_usage, "N/A");
        strcpy(smi->power_cap, "N/A");
        strcpy(smi->utilisation, "0%");
        strcpy(smi->compute_mode, "Default");
        strcpy(smi->mig, "N/A");
    }
}

/* "3" or "0-3" into two ordinals below the number of GPUs. */
static bool read_range(const char *text, int n_gpus, int *first, int *last)
{
    const char *dash = strchr(text, '-');
    char head[8] = {0};
    size_t n = dash ? (size_t)(dash - text) : strlen(text);
    if (n == 0 || n >= sizeof(head))
        return false;
    memcpy(head, text, n);
    if (machine_value(VALUE_VERSION, 0, head, first))
        return false;
    *last = *first;
    if (dash && machine_value(VALUE_VERSION, 0, dash + 1, last))
        return false;
    return *first <= *last && *last < n_gpus;
}

static bool open_section(Parser *parser, const char *name)
{
    for (int i = SECTION_MACHINE; i < SECTION_GPU; i++) {
        if (strcmp(name, section_names[i]) == 0) {
            parser->section = (Section)i;
            return true;
        }
    }
    if (strncmp(name, "gpu ", 4) != 0)
        return fail(parser,
                    "unknown section [%.60s]; expected [machine], [host], "
                    "[calls], [links] or [gpu 0]",
                    name);
    if (!parser->has_count)
        return fail(parser,
                    "[%.60s] comes before the number of GPUs; give "
                    "\"gpus = 8\" in [machine] first",
                    name);
    if (!read_range(name + 4, parser->machine->n_gpus, &parser->first_gpu,
                    &parser->last_gpu))
        return fail(parser,
                    "[%.60s] names no GPU of this machine; expected a range "
                    "such as [gpu 0-1], below %d",
                    name, parser->machine->n_gpus);
    parser->section = SECTION_GPU;
    return true;
}

static bool take_like(Parser *parser, const char *name)
{
    if (parser->section != SECTION_NONE)
        return fail(parser, "\"like\" inside a section; it must be the first "
                            "line of all");
    const BuiltinMachine *base = machine_builtin(name);
    if (!base)
        return fail(parser, "no built-in machine is called \"%.60s\"", name);
    if (strcmp(parser->label, name) == 0)
        return fail(parser, "a machine cannot be like itself");
    if (!machine_parse(base->name, (const char *)base->text, base->bytes,
                       parser->machine, parser->why, parser->why_bytes))
        return false;
    memset(parser->seen, 0xff, sizeof(parser->seen));
    for (int i = 0; i < parser->machine->n_gpus; i++)
        parser->seen_gpu[i] = UINT64_MAX;
    parser->has_count = true;
    return true;
}

static bool take_count(Parser *parser, const char *value)
{
    int n_gpus;
    const char *expected = machine_value(VALUE_VERSION, 0, value, &n_gpus);
    if (expected || n_gpus > MACHINE_MAX_GPUS)
        return fail(parser, "gpus = %.60s; expected a number from 0 to %d",
                    value, MACHINE_MAX_GPUS);
    parser->machine->n_gpus = n_gpus;
    parser->has_count = true;
    return true;
}

/* "all", "none", or groups such as "0-1 2-3": all pairs within a group. */
static bool take_peers(Parser *parser, char *value)
{
    Machine *machine = parser->machine;
    memset(machine->can_peer, 0, sizeof(machine->can_peer));
    if (strcmp(value, "none") == 0)
        return true;
    char all[16];
    snprintf(all, sizeof all, "0-%d", MACHINE_MAX_GPUS - 1);
    if (strcmp(value, "all") == 0)
        value = all;
    char *rest = NULL;
    for (char *word = strtok_r(value, " \t", &rest); word;
         word = strtok_r(NULL, " \t", &rest)) {
        int first, last;
        if (!read_range(word, MACHINE_MAX_GPUS, &first, &last))
            return fail(parser,
                        "peers: \"%.60s\"; expected all, none, or groups "
                        "such as 0-1 2-3",
                        word);
        for (int i = first; i <= last; i++) {
            for (int j = first; j <= last; j++)
                machine->can_peer[i][j] = i != j;
        }
    }
    return true;
}

static bool take_field(Parser *parser, const char *key, const char *value)
{
    const Field *fields = section_fields[parser->section];
    int n = 0;
    while (fields[n].key && strcmp(fields[n].key, key) != 0)
        n++;
    const Field *field = &fields[n];
    if (!field->key)
        return fail(parser, "unknown key \"%.60s\" in [%s]", key,
                    section_names[parser->section]);
    bool is_gpu = parser->section == SECTION_GPU;
    int first = is_gpu ? parser->first_gpu : 0;
    int last = is_gpu ? parser->last_gpu : 0;
    for (int i = first; i <= last; i++) {
        char *base = is_gpu ? (char *)&parser->machine->gpus[i]
                            : (char *)parser->machine;
        const char *expected = machine_value(field->kind, field->room, value,
                                             base + field->offset);
        if (expected)
            return fail(parser, "%s = %.60s; expected %s", key, value,
                        expected);
        if (is_gpu)
            parser->seen_gpu[i] |= UINT64_C(1) << n;
    }
    parser->seen[parser->section] |= UINT64_C(1) << n;
    return true;
}

static char *trim(char *text)
{
    text += strspn(text, " \t\r");
    size_t n = strlen(text);
    while (n > 0 && strchr(" \t\r", text[n - 1]))
        text[--n] = '\0';
    return text;
}

static bool take_line(Parser *parser, char *line)
{
    line[strcspn(line, "#")] = '\0';
    line = trim(line);
    if (*line == '\0')
        return true;
    size_t n = strlen(line);
    if (*line == '[') {
        if (line[n - 1] != ']')
            return fail(parser,
                        "\"%.60s\"; expected a section's name between "
                        "[ and ]",
                        line);
        line[n - 1] = '\0';
        return open_section(parser, trim(line + 1));
    }
    char *equals = strchr(line, '=');
    if (!equals)
        return fail(parser,
                    "\"%.60s\"; expected \"key = value\", a [section] "
                    "or a # comment",
                    line);
    *equals = '\0';
    char *key = trim(line), *value = trim(equals + 1);
    if (strcmp(key, "like") == 0)
        return take_like(parser, value);
    if (parser->section == SECTION_NONE)
        return fail(parser,
                    "\"%.60s\" stands before any section; expected "
                    "[machine]",
                    key);
    if (parser->section == SECTION_MACHINE && strcmp(key, "gpus") == 0)
        return take_count(parser, value);
    if (parser->section == SECTION_LINKS && strcmp(key, "peers") == 0)
        return take_peers(parser, value);
    return take_field(parser, key, value);
}

static const char *lacking(const Field *fields, uint64_t seen)
{
    for (int i = 0; fields[i].key; i++) {
        if (!fields[i].may_lack && !(seen >> i & 1))
            return fields[i].key;
    }
    return NULL;
}

static bool check_gpu(Parser *parser, int i)
{
    const GpuModel *gpu = &parser->machine->gpus[i];
    const char *key = lacking(gpu_fields, parser->seen_gpu[i]);
    if (key)
        return fail(parser, "gpu %d has no \"%s\"", i, key);
    if (gpu->idle_bytes + gpu->other_bytes > gpu->smi_total_bytes ||
        gpu->total_bytes > gpu->smi_total_bytes)
        return fail(parser,
                    "gpu %d uses or offers more memory than the "
                    "smi_memory it has",
                    i);
    if (strncmp(gpu->uuid, "GPU-", 4) != 0 || strlen(gpu->uuid) != 40)
        return fail(parser, "gpu %d: uuid = %s; expected GPU- and 36 letters",
                    i, gpu->uuid);
    for (int j = 0; j < i; j++) {
        const GpuModel *other = &parser->machine->gpus[j];
        if (strcmp(gpu->uuid, other->uuid) == 0)
            return fail(parser, "gpu %d and gpu %d have the same uuid", j, i);
    }
    if (i > 0) {
        const GpuModel *left = gpu - 1;
        int64_t before = (int64_t)left->pci_domain << 16 | left->pci_bus << 8 |
                         left->pci_device;
        int64_t here = (int64_t)gpu->pci_domain << 16 | gpu->pci_bus << 8 |
                       gpu->pci_device;
        if (here <= before)
            return fail(parser, "gpu %d: its bus_id must come after gpu %d's",
                        i, i - 1);
    }
    return true;
}

static bool check_whole(Parser *parser)
{
    if (!parser->has_count)
        return fail(parser, "the file ends without \"gpus = ...\"");
    for (int i = SECTION_MACHINE; i < SECTION_GPU; i++) {
        if (i == SECTION_LINKS && parser->machine->n_gpus < 2)
            continue;
        const char *key = lacking(section_fields[i], parser->seen[i]);
        if (key)
            return fail(parser, "the file ends and [%s] has no \"%s\"",
                        section_names[i], key);
    }
    if (!parser->machine->has_driver && parser->machine->n_gpus > 0)
        return fail(parser, "a machine without a driver shows no GPUs; "
                            "expected gpus = 0 or driver = yes");
    for (int i = 0; i < parser->machine->n_gpus; i++) {
        if (!check_gpu(parser, i))
            return false;
    }
    return true;
}

bool machine_parse(const char *label, const char *text, size_t bytes,
                   Machine *machine, char *why, size_t why_bytes)
{
    Parser parser = {
        .label = label, .machine = machine, .why = why, .why_bytes = why_bytes};
    set_defaults(machine);
    for (size_t at = 0; at < bytes;) {
        char line[LINE_ROOM];
        const char *end = memchr(text + at, '\n', bytes - at);
        size_t n = end ? (size_t)(end - text) - at : bytes - at;
        parser.line++;
        if (n >= sizeof(line) || memchr(text + at, '\0', n))
            return fail(&parser,
                        "this is no line of text; expected at most %d "
                        "characters",
                        LINE_ROOM - 1);
        memcpy(line, text + at, n);
        line[n] = '\0';
        if (!take_line(&parser, line))
            return false;
        at += n + 1;
    }
    return check_whole(&parser);
}
