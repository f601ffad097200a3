/* Machine files: text into a Machine.
 *
 * The format, by example (lib/sim/machines has whole ones):
 *
 *     like = v100x8              first of all: begin with a built-in machine
 *     [machine]                  a section; its keys follow
 *     gpus = 4                   # assumed, or  # source: where it is from
 *     [gpu 0-3]                  these GPUs; a later section may refine one
 *     h2d_pinned = 2.75 us + 12.35 GB/s
 *     float32 = 14.13 TFLOP/s * 0.9      peak and what is attained of it
 *
 * Private to the simulator; machine.h is what the rest includes. */
#ifndef SIM_MACHINE_PARSE_H
#define SIM_MACHINE_PARSE_H

#include "machine.h"

/* A machine file that was compiled in. */
typedef struct BuiltinMachine {
    const char *name;
    const unsigned char *text;
    size_t bytes;
} BuiltinMachine;

extern const BuiltinMachine builtin_machines[];
extern const int n_builtin_machines;

/* The built-in machine of that name, or NULL. */
const BuiltinMachine *machine_builtin(const char *name);

/* Fill *machine from text. `label` stands for the file in messages.
 *
 * errors  false: `why` says "label:line: what was wrong; what is expected" */
bool machine_parse(const char *label, const char *text, size_t bytes,
                   Machine *machine, char *why, size_t why_bytes);

/* How a value is written, and what it becomes. */
typedef enum ValueKind {
    VALUE_TEXT,       // as it stands, into char[room]
    VALUE_COUNT,      // a whole number, into int
    VALUE_VERSION,    // likewise, 0 allowed
    VALUE_YES_NO,     // yes or no, into bool
    VALUE_BYTES,      // 32 GiB, into size_t
    VALUE_NS,         // 2.75 us, into int64_t
    VALUE_NS_PER_B,   // 0.1 ns/B, into double
    VALUE_KHZ,        // 1380 MHz, into int
    VALUE_BYTE_RATE,  // 898 GB/s, perhaps "* 0.86", into double
    VALUE_FLOP_RATE,  // 14.13 TFLOP/s, perhaps "* 0.9", into double
    VALUE_LINK,       // 2.75 us + 12.35 GB/s, into LinkCost
    VALUE_PCI,        // 00000000:89:00.0, into three int
    VALUE_CAPABILITY, // 7.0, into two int
    VALUE_HEX,        // 0x1db610de, into unsigned
} ValueKind;

/* Read `text` as this kind into `out`. Returns NULL, or what would have been
 * right ("a size such as 32 GiB"). */
const char *machine_value(ValueKind kind, size_t room, const char *text,
                          void *out);

#endif
