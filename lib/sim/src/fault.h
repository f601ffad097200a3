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
 * (test frameworks do); afterwards they are theirs again. Nobody has if they
 * were found to be ours since the program's code ran last. */
typedef struct FaultHandlers {
    bool are_ours; // nothing to give back
    struct sigaction segv, bus;
} FaultHandlers;
void fault_take(FaultHandlers *theirs);
void fault_return(const FaultHandlers *theirs);

/* The program's code has run: it may have installed a handler. */
void fault_doubt(void);

#endif
