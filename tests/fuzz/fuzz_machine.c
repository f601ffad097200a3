/* Machine files: a whole machine, or a sentence that names a line. */
#include "fuzz.h"          // defines: MUST
#include "machine.h"       // defines: Machine
#include "machine_parse.h" // defines: machine_parse

#include <math.h>

static bool is_text(const char *text, size_t room)
{
    return memchr(text, '\0', room) != NULL;
}

static void check_gpu(const GpuModel *gpu)
{
    MUST(is_text(gpu->uuid, sizeof gpu->uuid) && strlen(gpu->uuid) == 40);
    MUST(is_text(gpu->name, sizeof gpu->name));
    MUST(gpu->total_bytes <= gpu->smi_total_bytes);
    MUST(gpu->idle_bytes + gpu->other_bytes <= gpu->smi_total_bytes);
    for (int i = 0; i < N_RATES; i++)
        MUST(isfinite(gpu->flops_per_s[i]) && gpu->flops_per_s[i] >= 0);
    MUST(isfinite(gpu->h2d_pinned.bytes_per_s));
    MUST(gpu->h2d_pinned.t0_ns >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static Machine machine; // too large for a stack
    char why[300] = "";
    if (!machine_parse("f", (const char *)data, n_bytes, &machine, why,
                       sizeof why)) {
        MUST(is_text(why, sizeof why));
        // "f:12: …", or the built-in machine's own name before the line
        MUST(strchr(why, ':') && strlen(strchr(why, ':')) > 4);
        return 0;
    }
    MUST(machine.n_gpus >= 0 && machine.n_gpus <= MACHINE_MAX_GPUS);
    MUST(machine.has_driver || machine.n_gpus == 0);
    for (int i = 0; i < machine.n_gpus; i++)
        check_gpu(&machine.gpus[i]);
    return 0;
}
