/* The sample's library: a machine that has a name and some GPUs. */
#ifndef WORKBOOK_MACHINE_H
#define WORKBOOK_MACHINE_H

const char *machine_name(void); // SIM_MACHINE, or "v100x8"
int machine_gpus(void);         // 8, 4, 1 or 0
void machine_touch(int gpu);    // an absent one explains itself and aborts

#endif
