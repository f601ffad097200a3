/* Find a machine by its name, or read it from a file. */
#include "machine.h"       // defines: Machine, machine_load
#include "machine_parse.h" // defines: machine_parse, BuiltinMachine

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX_BYTES = 1 << 20 };

const BuiltinMachine *machine_builtin(const char *name)
{
    for (int i = 0; i < n_builtin_machines; i++) {
        if (strcmp(builtin_machines[i].name, name) == 0)
            return &builtin_machines[i];
    }
    return NULL;
}

static bool unknown_name(const char *name, char *why, size_t why_bytes)
{
    char names[256] = "";
    size_t n = 0;
    for (int i = 0; i < n_builtin_machines && n < sizeof(names); i++)
        n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s",
                              i ? ", " : "", builtin_machines[i].name);
    snprintf(why, why_bytes,
             "no machine is called \"%.100s\"; choose one of %s, or give the "
             "path of a machine file (with a / or a . in it)",
             name, names);
    return false;
}

/* The whole file in *text, to be freed; -1: `why` says what failed. */
static long read_file(const char *path, char **text, char *why,
                      size_t why_bytes)
{
    FILE *file = fopen(path, "rb");
    char *room = file ? malloc(FILE_MAX_BYTES) : NULL;
    if (!room) {
        snprintf(why, why_bytes, "cannot read machine file \"%.200s\": %s",
                 path, strerror(errno));
        if (file)
            fclose(file);
        return -1;
    }
    size_t n = fread(room, 1, FILE_MAX_BYTES, file);
    bool failed = ferror(file) != 0 || n == FILE_MAX_BYTES;
    fclose(file);
    if (failed) {
        snprintf(why, why_bytes,
                 "cannot read machine file \"%.200s\": it is no text file of "
                 "less than a megabyte",
                 path);
        free(room);
        return -1;
    }
    *text = room;
    return (long)n;
}

bool machine_load(const char *name_or_path, Machine *machine, char *why,
                  size_t why_bytes)
{
    const BuiltinMachine *builtin = machine_builtin(name_or_path);
    bool ok;
    if (builtin) {
        ok = machine_parse(builtin->name, (const char *)builtin->text,
                           builtin->bytes, machine, why, why_bytes);
    } else if (!strpbrk(name_or_path, "/.")) {
        return unknown_name(name_or_path, why, why_bytes);
    } else {
        char *text = NULL;
        long n = read_file(name_or_path, &text, why, why_bytes);
        ok = n >= 0 && machine_parse(name_or_path, text, (size_t)n, machine,
                                     why, why_bytes);
        free(text);
    }
    if (ok)
        snprintf(machine->name, sizeof(machine->name), "%s", name_or_path);
    return ok;
}
