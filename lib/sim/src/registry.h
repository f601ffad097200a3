/* What running programs use of a machine's memory, for smi to see.
 *
 * Each process that has a context keeps one small file, mapped into memory,
 * in $XDG_RUNTIME_DIR/cudasim or, without that, /tmp/cudasim-<user id>; it is
 * removed when the process ends. A file whose process is gone (killed) is
 * removed by whoever sees it next. Nothing depends on any of this working:
 * where the directory cannot be made, smi sees no processes. */
#ifndef SIM_REGISTRY_H
#define SIM_REGISTRY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "machine.h"

enum { REGISTRY_PROGRAM = 256 };

/* The contents of a file. */
typedef struct RegistryEntry {
    uint64_t magic;
    uint64_t started; // when the process began, as /proc tells it
    int64_t pid;
    char machine[MACHINE_NAME];
    char program[REGISTRY_PROGRAM];
    uint64_t used_bytes[MACHINE_MAX_GPUS]; // by GPU of the machine; 0: none
} RegistryEntry;

/* Say that this process uses so many bytes of that GPU, its context
 * included. The first call makes the file. */
void registry_publish(const char *machine, int physical, uint64_t bytes);

/* Read the entries of live processes on that machine, in order of process
 * id; returns how many there are, at most `room`. */
int registry_read(const char *machine, RegistryEntry *out, int room);

#endif
