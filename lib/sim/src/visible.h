/* CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER: which GPUs, in which order. */
#ifndef SIM_VISIBLE_H
#define SIM_VISIBLE_H

#include <stdbool.h>

#include "machine.h"

/* The machine's GPUs as the program numbers them.
 *
 * value   of CUDA_VISIBLE_DEVICES; NULL: unset, all are visible
 * order   physical[i] is the index in machine->gpus of ordinal i
 * Returns how many there are. Never fails: what cannot be read ends the
 * list, as CUDA has it.
 * source  CUDA Programming Guide, CUDA Environment Variables; for what that
 *         leaves open, PyTorch's torch.cuda._parse_visible_devices */
int visible_devices(const Machine *machine, const char *value, bool pci_order,
                    int physical[MACHINE_MAX_GPUS]);

#endif
