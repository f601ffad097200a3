/* What becomes of SIGSEGV: a kernel's fault, the host's, and other people's. */
#ifndef SIM_FAULT_H
#define SIM_FAULT_H

#include <signal.h>

#include "memory.h"

/* Once, at initialisation. */
void fault_install(void);

/* Remember memory that was given back, to name it in a fault's sentence. */
void fault_remember(const Allocation *allocation);

/* Around a kernel: faults are ours, whoever has installed a handler since
 * (test frameworks do); afterwards they are theirs again. */
typedef struct FaultHandlers {
    struct sigaction segv, bus;
} FaultHandlers;
void fault_take(FaultHandlers *theirs);
void fault_return(const FaultHandlers *theirs);

#endif
