/* The table that nvidia-smi prints, in the layouts of three driver branches.
 *
 * source  tables of drivers 430.50 and 511.79 in the notes the workbook
 *         starts from; published tables of 470 to 580 */
#include "smi.h" // defines: Report, print_table

#include <stdio.h>
#include <string.h>

enum { CELL = 64 };

/* The name as it fits: cut, with dots, and the persistence column after it. */
static void name_cell(char out[CELL], const GpuModel *gpu, int width)
{
    char name[CELL];
    const char *mode = gpu->smi.persistence;
    bool is_long = strlen(mode) > 3; // WDDM takes a column more
    bool fits = (int)strlen(gpu->name) <= width;
    snprintf(name, sizeof(name), "%.*s%s", fits ? width : width - 3, gpu->name,
             fits ? "" : "...");
    snprintf(out, CELL, is_long ? "%-*s %-4s" : "%-*s  %-3s", width, name,
             mode);
}

static void bus_id(char out[CELL], const GpuModel *gpu)
{
    snprintf(out, CELL, "%08X:%02X:%02X.0", (unsigned)gpu->pci_domain,
             (unsigned)gpu->pci_bus, (unsigned)gpu->pci_device);
}

static void mebibytes(char out[CELL], size_t bytes)
{
    snprintf(out, CELL, "%zuMiB", bytes >> 20);
}

static bool is_windows(const Report *report)
{
    const char *mode = report->machine.gpus[0].smi.persistence;
    return strcmp(mode, "WDDM") == 0 || strcmp(mode, "TCC") == 0;
}

static void print_narrow_head(const Report *report)
{
    const Machine *machine = &report->machine;
    puts("+-----------------------------------------------------------------"
         "------------+");
    printf("| NVIDIA-SMI %-12s Driver Version: %-12s CUDA Version: %-8s |\n",
           machine->smi_version, machine->smi_driver, machine->smi_cuda);
    puts("|-------------------------------+----------------------+----------"
         "------------+");
    printf("| GPU  Name        %s| Bus-Id        Disp.A | Volatile Uncorr. ECC "
           "|\n",
           is_windows(report) ? "    TCC/WDDM " : "Persistence-M");
    puts("| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  "
         "Compute M. |");
    if (report->layout != LAYOUT_2019)
        puts("|                               |                      |         "
             "      MIG M. |");
    puts("|===============================+======================+=========="
         "============|");
}

static void print_narrow_gpu(const Report *report, int i)
{
    const GpuModel *gpu = &report->machine.gpus[i];
    const SmiColumns *smi = &gpu->smi;
    char name[CELL], bus[CELL], used[CELL], total[CELL];
    name_cell(name, gpu, 18);
    bus_id(bus, gpu);
    mebibytes(used, used_bytes(report, i));
    mebibytes(total, gpu->smi_total_bytes);
    printf("| %3d  %s  | %s %-3s | %20s |\n", i, name, bus, smi->display,
           smi->ecc);
    printf("| %3s  %4s  %4s  %5s / %4s | %9s / %8s | %7s %12s |\n", smi->fan,
           smi->temperature, smi->performance, smi->power_usage, smi->power_cap,
           used, total, smi->utilisation, smi->compute_mode);
    if (report->layout != LAYOUT_2019)
        printf("|                               |                      | %20s "
               "|\n",
               smi->mig);
    puts("+-------------------------------+----------------------+----------"
         "------------+");
}

static void print_wide_head(const Report *report)
{
    const Machine *machine = &report->machine;
    const char *rule = "-----------------------------------------+------------"
                       "------------+----------------------+";
    puts("+-----------------------------------------------------------------"
         "------------------------+");
    printf("| NVIDIA-SMI %-22s Driver Version: %-14s CUDA Version: %-8s |\n",
           machine->smi_version, machine->smi_driver, machine->smi_cuda);
    printf("%c%s\n", report->driver < 580 ? '|' : '+', rule);
    printf("| GPU  Name                 %s | Bus-Id          Disp.A | Volatile "
           "Uncorr. ECC |\n",
           is_windows(report) ? "Driver-Model " : "Persistence-M");
    puts("| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | "
         "GPU-Util  Compute M. |");
    puts("|                                         |                        | "
         "              MIG M. |");
    puts("|=========================================+========================+="
         "=====================|");
}

static void print_wide_gpu(const Report *report, int i)
{
    const GpuModel *gpu = &report->machine.gpus[i];
    const SmiColumns *smi = &gpu->smi;
    char name[CELL], bus[CELL], used[CELL], total[CELL];
    bool is_long = strlen(smi->persistence) > 3;
    name_cell(name, gpu, is_long ? 28 : 29);
    bus_id(bus, gpu);
    mebibytes(used, used_bytes(report, i));
    mebibytes(total, gpu->smi_total_bytes);
    printf("| %3d  %s%s |   %s %-3s | %20s |\n", i, name, is_long ? " " : "",
           bus, smi->display, smi->ecc);
    printf("| %3s  %4s  %4s  %14s / %5s | %10s / %9s | %7s %12s |\n", smi->fan,
           smi->temperature, smi->performance, smi->power_usage, smi->power_cap,
           used, total, smi->utilisation, smi->compute_mode);
    printf("|                                         |                        "
           "| %20s |\n",
           smi->mig);
    puts("+-----------------------------------------+------------------------+-"
         "---------------------+");
}

static void print_process(const Report *report, int gpu,
                          const RegistryEntry *process)
{
    char used[CELL], name[CELL];
    int width = report->layout == LAYOUT_2019   ? 41
                : report->layout == LAYOUT_2021 ? 31
                                                : 37;
    int n = (int)strlen(process->program);
    bool fits = n <= width; // if not, the end says more than the beginning
    snprintf(name, sizeof(name), "%s%.*s", fits ? "" : "...", width,
             process->program + (fits ? 0 : n - width + 3));
    mebibytes(used, process->used_bytes[gpu]);
    if (report->layout == LAYOUT_2019)
        printf("| %4d %9lld %6s   %-41s %8s |\n", gpu, (long long)process->pid,
               "C", name, used);
    else if (report->layout == LAYOUT_2021)
        printf("| %4d   N/A  N/A %9lld %6s   %-31s %8s |\n", gpu,
               (long long)process->pid, "C", name, used);
    else
        printf("| %4d   N/A  N/A %15lld %6s   %-37s %8s |\n", gpu,
               (long long)process->pid, "C", name, used);
}

static void print_processes_head(Layout layout)
{
    if (layout == LAYOUT_2019) {
        puts("| Processes:                                                     "
             "  GPU Memory |");
        puts("|  GPU       PID   Type   Process name                           "
             "  Usage      |");
        return;
    }
    const char *gap = layout == LAYOUT_2024 ? "      " : "";
    printf("| Processes:                                                       "
           "           %s%s|\n",
           gap, gap);
    printf("|  GPU   GI   CI  %s      PID   Type   Process name                "
           "%s  GPU Memory |\n",
           gap, gap);
    printf("|        ID   ID  %s                                               "
           "%s  Usage      |\n",
           gap, gap);
}

static void print_processes(const Report *report)
{
    bool is_wide = report->layout == LAYOUT_2024;
    const char *gap = is_wide ? "            " : "";
    const char *dashes = is_wide ? "------------" : "";
    const char *doubles = is_wide ? "============" : "";
    bool found = false;
    printf("+------------------------------------------------------------------"
           "-----------%s+\n",
           dashes);
    print_processes_head(report->layout);
    printf("|=================================================================="
           "===========%s|\n",
           doubles);
    for (int gpu = 0; gpu < report->machine.n_gpus; gpu++) {
        for (int i = 0; i < report->n_processes; i++) {
            if (report->processes[i].used_bytes[gpu] == 0)
                continue;
            print_process(report, gpu, &report->processes[i]);
            found = true;
        }
    }
    if (!found)
        printf(
            "|  No running processes found                                    "
            "             %s|\n",
            gap);
    printf("+------------------------------------------------------------------"
           "-----------%s+\n",
           dashes);
}

void print_table(const Report *report)
{
    bool is_wide = report->layout == LAYOUT_2024;
    printf("%s       \n", time_text());
    if (is_wide)
        print_wide_head(report);
    else
        print_narrow_head(report);
    for (int i = 0; i < report->machine.n_gpus; i++) {
        if (is_wide)
            print_wide_gpu(report, i);
        else
            print_narrow_gpu(report, i);
    }
    if (report->driver >= 580)
        puts("");
    else
        printf("%*s\n", is_wide ? 89 : 79, "");
    print_processes(report);
}
