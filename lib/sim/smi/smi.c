/* smi: what nvidia-smi would print on the simulated machine.
 *
 *     smi                 the table
 *     smi -L              one line a GPU, with its UUID
 *     smi -q -d MEMORY    memory, at length
 *
 * The machine is SIM_MACHINE's. GPUs are in the order of their PCI bus, as
 * nvidia-smi has them: CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER change
 * nothing here. Memory in use is the machine's own, plus that of simulated
 * programs running now. */
#include "smi.h" // defines: Report, print_table

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

enum { EXIT_USAGE = 2, EXIT_NO_DEVICES = 6, EXIT_NO_DRIVER = 9 };

typedef enum Wanted { WANT_TABLE, WANT_LIST, WANT_MEMORY, WANT_HELP } Wanted;

size_t used_bytes(const Report *report, int gpu)
{
    const GpuModel *model = &report->machine.gpus[gpu];
    size_t used = model->idle_bytes + model->other_bytes;
    for (int i = 0; i < report->n_processes; i++)
        used += report->processes[i].used_bytes[gpu];
    return used < model->smi_total_bytes ? used : model->smi_total_bytes;
}

const char *time_text(void)
{
    static char text[64];
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    time_t now = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
    struct tm parts;
    if (epoch ? !gmtime_r(&now, &parts) : !localtime_r(&now, &parts))
        return "";
    strftime(text, sizeof(text), "%a %b %e %H:%M:%S %Y", &parts);
    return text;
}

static int complain(const char *argument)
{
    fprintf(stderr,
            "smi: \"%s\" is not one of its options; it knows -L, -q -d MEMORY "
            "and, without options, the table\n",
            argument);
    return EXIT_USAGE;
}

static bool is_one_of(const char *argument, const char *brief, const char *full)
{
    return strcmp(argument, brief) == 0 || strcmp(argument, full) == 0;
}

/* 0, or the exit status. */
static int read_arguments(int argc, char **argv, Wanted *wanted)
{
    bool query = false, memory = false;
    *wanted = WANT_TABLE;
    for (int i = 1; i < argc; i++) {
        if (is_one_of(argv[i], "-L", "--list-gpus")) {
            *wanted = WANT_LIST;
        } else if (is_one_of(argv[i], "-q", "--query")) {
            query = true;
        } else if (is_one_of(argv[i], "-h", "--help")) {
            *wanted = WANT_HELP;
        } else if (strncmp(argv[i], "--display=", 10) == 0) {
            if (strcasecmp(argv[i] + 10, "MEMORY") != 0)
                return complain(argv[i]);
            memory = true;
        } else if (strcmp(argv[i], "-d") == 0 && i + 1 < argc) {
            if (strcasecmp(argv[++i], "MEMORY") != 0)
                return complain(argv[i]);
            memory = true;
        } else {
            return complain(argv[i]);
        }
    }
    if (query != memory)
        return complain(query ? "-q without -d MEMORY" : "-d without -q");
    if (query)
        *wanted = WANT_MEMORY;
    return 0;
}

static bool open_report(Report *report)
{
    char why[512];
    const char *name = getenv("SIM_MACHINE");
    if (!name || !*name)
        name = "v100x8";
    if (!machine_load(name, &report->machine, why, sizeof(why))) {
        fprintf(stderr, "smi: %s\n", why);
        return false;
    }
    report->driver = atoi(report->machine.smi_driver);
    report->layout = report->driver < 450   ? LAYOUT_2019
                     : report->driver < 530 ? LAYOUT_2021
                                            : LAYOUT_2024;
    report->n_processes =
        registry_read(name, report->processes, SMI_MAX_PROCESSES);
    return true;
}

static void print_help(void)
{
    puts("smi: what nvidia-smi would print on the simulated machine\n\n"
         "    smi                 the table of GPUs and processes\n"
         "    smi -L              the GPUs and their UUIDs\n"
         "    smi -q -d MEMORY    the memory of each GPU\n\n"
         "SIM_MACHINE names the machine (v100x8 when unset).");
}

int main(int argc, char **argv)
{
    static Report report;
    Wanted wanted;
    int status = read_arguments(argc, argv, &wanted);
    if (status != 0)
        return status;
    if (wanted == WANT_HELP) {
        print_help();
        return 0;
    }
    if (!open_report(&report))
        return EXIT_USAGE;
    if (!report.machine.has_driver) {
        puts("NVIDIA-SMI has failed because it couldn't communicate with the "
             "NVIDIA driver. Make sure that the latest NVIDIA driver is "
             "installed and running.\n");
        return EXIT_NO_DRIVER;
    }
    if (report.machine.n_gpus == 0) {
        puts("No devices were found");
        return EXIT_NO_DEVICES;
    }
    if (wanted == WANT_LIST)
        print_list(&report);
    else if (wanted == WANT_MEMORY)
        print_memory_query(&report);
    else
        print_table(&report);
    return 0;
}
