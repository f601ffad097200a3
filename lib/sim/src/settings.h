/* The environment, read once. CONFORMANCE.md lists the variables. */
#ifndef SIM_SETTINGS_H
#define SIM_SETTINGS_H

#include <stdbool.h>

typedef struct Settings {
    bool launch_blocking; // CUDA_LAUNCH_BLOCKING
    bool pci_order;       // CUDA_DEVICE_ORDER=PCI_BUS_ID
    const char *machine;  // SIM_MACHINE
    const char *visible;  // CUDA_VISIBLE_DEVICES, NULL when unset
} Settings;

extern Settings settings;

/* Read the environment and open what it asks for. A value that cannot be
 * meant ends the program: one sentence on stderr, exit code 2. */
void settings_read(void);

/* Say so and end. */
_Noreturn void settings_refuse(const char *sentence);

#endif
