/* What can be made to fail, and what must then be said. */
#ifndef TESTS_INJECTED_KINDS_H
#define TESTS_INJECTED_KINDS_H

#include "base/status.h" // defines: Status
#include <stdbool.h>

typedef enum How {
    HOST_MEMORY, // the library's own records
    CALL,        // a CUDA call returns an error and has done nothing
    FAULT,       // what was issued fails when it runs: the GPU is lost
} How;

typedef struct Kind {
    const char *name; // of the call
    How how;
    int what;             // CALL: the error; FAULT: a CudasimFailKind
    int times;            // how many in a row
    bool may_pass;        // the library goes on without that call
    bool may_leave;       // what it was to give back stays held
    Status status;        // what the work must end with
    const char *sentence; // and what its sentence must hold
} Kind;

extern const Kind kinds[];
extern const int n_kinds;

/* The n-th (1 is the next) of this kind fails from now on. */
void kind_arm(const Kind *kind, long n);
/* Whether it has come; nothing fails any longer. FAULT: false, unknown. */
bool kind_disarm(const Kind *kind);

#endif
