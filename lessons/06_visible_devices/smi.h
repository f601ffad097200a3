/* Lesson 06: which card is it really? nvidia-smi knows.
 *
 * A program sees logical GPUs. nvidia-smi counts all the cards of the machine,
 * along the PCI bus, whatever a program may see. A UUID is the same in both, so
 * it leads from one count to the other.
 */
#ifndef LESSON_06_SMI_H
#define LESSON_06_SMI_H

#include "device/device.h" // defines: CudaProperties, cuda_properties
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Start `smi <rest>` and read what it prints. `program` is main's argv[0]: the
 * simulated machine's smi stands in the same build tree, and where there is
 * none it is the real nvidia-smi. NULL when it cannot be started; pclose it. */
static inline FILE *smi_open(const char *program, const char *rest)
{
    char path[1024] = "nvidia-smi", command[2048];
    const char *slash = strrchr(program, '/');
    if (slash) {
        int n = (int)(slash - program);
        snprintf(path, sizeof path, "%.*s/../../bin/smi", n, program);
        if (access(path, X_OK) != 0)
            strcpy(path, "nvidia-smi");
    }
    snprintf(command, sizeof command, "'%s' %s", path, rest);
    return popen(command, "r");
}

//> physical
/* The physical index of a logical GPU, or -1: the line of `smi -L` that has its
 * UUID, "GPU 2: Tesla V100-PCIE-32GB (UUID: GPU-2be4...)". */
static inline int physical_index(const char *program, int logical)
{
    CudaProperties card;
    char line[512];
    int found = -1, index;
    if (cuda_properties(logical, &card) != OK)
        return -1;
    FILE *report = smi_open(program, "-L");
    while (report && fgets(line, sizeof line, report))
        if (strstr(line, card.uuid) && sscanf(line, "GPU %d:", &index) == 1)
            found = index;
    if (report)
        pclose(report);
    return found;
}
//< physical

//> cut
/* The free MiB of each GPU, cut out of a report: how many there were,
 * `most` at most. */
static inline int get_gpu_memory(const char *program, int *free_mib, int most)
{
    char line[512];
    int n = 0;
    FILE *cut = smi_open(program, "-q -d Memory | grep -A4 GPU | grep Free");
    while (cut && n < most && fgets(line, sizeof line, cut))
        if (sscanf(line, " Free : %d", &free_mib[n]) == 1)
            n++;
    if (cut)
        pclose(cut);
    return n;
}
//< cut

#endif
