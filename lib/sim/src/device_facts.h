/* What a GPU says of itself. */
#ifndef SIM_DEVICE_FACTS_H
#define SIM_DEVICE_FACTS_H

#include "state.h"

void device_properties(const Device *device, struct cudaDeviceProp *prop);

/* errors  cudaErrorInvalidValue: no such attribute */
cudaError_t device_attribute(const Device *device, enum cudaDeviceAttr attr,
                             int *value);

#endif
