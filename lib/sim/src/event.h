/* Events: marks in streams. */
#ifndef SIM_EVENT_H
#define SIM_EVENT_H

#include "stream.h"

typedef struct Event {
    Device *device;
    unsigned flags;
    Task *mark;         // where it was recorded last, held; NULL: never
    struct Event *next; // in its bucket
} Event;

/* The event behind a handle, or NULL. */
Event *event_of(cudaEvent_t handle);

/* The device is reset: its events are gone. */
void event_drop_all(const Device *device);

#endif
