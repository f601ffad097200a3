/* What went through the library: copies by direction, bytes, launches.
 *
 * Counts are the process's, exact, on real GPUs too. Copies that were made only
 * to print are kept apart.
 */
#ifndef DEVICE_LEDGER_H
#define DEVICE_LEDGER_H

#include "base/attributes.h" // defines: API
#include <stdint.h>

enum { LEDGER_MAX_DEVICES = 64 };

typedef struct LedgerCount {
    int64_t n_copies;
    int64_t n_bytes;
} LedgerCount;

typedef struct Ledger {
    LedgerCount host_to_device;
    LedgerCount device_to_host;
    LedgerCount device_to_device;         // within one GPU
    LedgerCount peer;                     // from one GPU to another
    LedgerCount printing;                 // made to print; in none of the above
    int64_t n_launches;                   // kernels and cuBLAS calls
    int64_t n_allocations;                // of device memory
    int64_t n_synchronizations;           // host waits
    LedgerCount into[LEDGER_MAX_DEVICES]; // by logical GPU, all sources
    LedgerCount out_of[LEDGER_MAX_DEVICES]; // by logical GPU, all targets
} Ledger;

/* The counts so far. */
API Ledger ledger_now(void);
/* What happened since a mark: now - mark. */
API Ledger ledger_since(const Ledger *mark);

/* Bracket copies that are made only to print (may nest). */
API void ledger_printing_begin(void);
API void ledger_printing_end(void);

#endif
