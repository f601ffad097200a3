/* CUDA_VISIBLE_DEVICES: whatever it says, a list of different GPUs that the
 * machine has. The first byte chooses the machine and the order. */
#include "fuzz.h"    // defines: MUST, text_of
#include "machine.h" // defines: Machine, machine_load
#include "visible.h" // defines: visible_devices

static const char *const names[] = {"v100x8", "mixed", "t4", "none"};
enum { N_MACHINES = sizeof names / sizeof *names };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static Machine machines[N_MACHINES];
    static bool loaded;
    char why[256];
    for (int i = 0; i < N_MACHINES && !loaded; i++)
        MUST(machine_load(names[i], &machines[i], why, sizeof why));
    loaded = true;
    if (n_bytes == 0)
        return 0;
    const Machine *machine = &machines[data[0] % N_MACHINES];
    char *text = text_of(data + 1, n_bytes - 1);
    int physical[MACHINE_MAX_GPUS];
    memset(physical, 0x7f, sizeof physical);
    int n = visible_devices(machine, text, data[0] & 0x80, physical);
    MUST(n >= 0 && n <= machine->n_gpus);
    for (int i = 0; i < n; i++) {
        MUST(physical[i] >= 0 && physical[i] < machine->n_gpus);
        for (int j = 0; j < i; j++)
            MUST(physical[i] != physical[j]);
    }
    free(text);
    return 0;
}
