/* The default memory pool of each device. */
#ifndef SIM_POOL_H
#define SIM_POOL_H

#include "state.h"

/* The device whose pool that handle is, or NULL. */
Device *pool_device(cudaMemPool_t handle);

/* A wait has ended: give back what is held beyond the release threshold. */
void pool_trim(Device *device);

/* Memory from the pool is free again: the pool keeps it. */
void pool_return(Device *device, size_t bytes);

/* A device's reset: nothing held, everything as at first. */
void pool_reset(Device *device);

#endif
