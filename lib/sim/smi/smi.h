/* What smi prints: the parts of nvidia-smi's reports. */
#ifndef SMI_H
#define SMI_H

#include "../src/machine.h"  // defines: Machine, GpuModel
#include "../src/registry.h" // defines: RegistryEntry

enum { SMI_MAX_PROCESSES = 64 };

/* The layouts of the driver branches. */
typedef enum Layout {
    LAYOUT_2019, // before 450: no MIG, no Reserved line before 510
    LAYOUT_2021, // 450 to 529
    LAYOUT_2024, // from 530: a wider table
} Layout;

typedef struct Report {
    Machine machine;
    Layout layout;
    int driver; // the branch: 430
    int n_processes;
    RegistryEntry processes[SMI_MAX_PROCESSES];
    bool is_hidden[MACHINE_MAX_GPUS]; // -i names others
} Report;

/* A GPU's memory as nvidia-smi splits it, in bytes. Reserved: what the driver
 * keeps, which counted as nothing before driver 510. */
typedef struct Memory {
    size_t total, reserved, used, free;
} Memory;

/* --format=csv, and what may be left out. */
typedef struct CsvFormat {
    bool header, units;
} CsvFormat;

/* Bytes in use on a GPU: with no process, by other people, and by ours. */
size_t used_bytes(const Report *report, int gpu);

Memory memory_of(const Report *report, int gpu);

/* "Tue Dec 10 11:04:23 2019": now, or SOURCE_DATE_EPOCH in UTC. */
const char *time_text(void);

void print_table(const Report *report);        // nvidia-smi
void print_list(const Report *report);         // nvidia-smi -L
void print_memory_query(const Report *report); // nvidia-smi -q -d MEMORY

/* nvidia-smi --query-gpu=… --format=csv. False: a field that it does not know;
 * that has been said. */
bool print_csv(const Report *report, const char *fields, CsvFormat format);

/* Its fields, for --help. */
void csv_help(void);

#endif
