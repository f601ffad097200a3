/* The driver: initialisation, once per process. */
#ifndef SIM_DRIVER_H
#define SIM_DRIVER_H

#include <stdbool.h>

/* Read the environment and set up the machine, the first time. */
void driver_open(void);

/* This process was forked off one that had used CUDA. */
bool driver_is_forked(void);

#endif
