/* How the library tells the ledger what it did. Not for programs. */
#ifndef DEVICE_COUNT_H
#define DEVICE_COUNT_H

#include "device/device.h" // defines: Device
#include <stddef.h>

/* A copy between two resolved places; host to host counts nowhere. */
void ledger_count_copy(Device to, Device from, size_t n_bytes);
void ledger_count_launch(void);     // a kernel or a cuBLAS call
void ledger_count_allocation(void); // of device memory
void ledger_count_synchronization(void);

#endif
