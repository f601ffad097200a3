/* nvidia-smi -q -d MEMORY, and -L.
 *
 * From driver 510 on a Reserved line stands between Total and Used: what
 * counted lines after the match, as many scripts do, then loses Free.
 *
 * source  published reports of drivers 375, 560 and 580 */
#include "smi.h" // defines: Report, print_memory_query, print_list

#include <stdio.h>

/* How far the values stand from the left. */
static int value_column(const Report *report)
{
    if (report->driver >= 580)
        return 55;
    return report->driver >= 450 ? 42 : 36;
}

static void put_text(const Report *report, int indent, const char *key,
                     const char *value)
{
    printf("%*s%-*s: %s\n", indent, "", value_column(report) - indent, key,
           value);
}

static void put_size(const Report *report, const char *key, size_t bytes)
{
    char text[32];
    snprintf(text, sizeof(text), "%zu MiB", bytes >> 20);
    put_text(report, 8, key, text);
}

/* The window onto the memory that the bus maps: all of a data centre card's,
 * 256 MiB of a card that also drives a screen. */
static size_t window_bytes(const GpuModel *gpu)
{
    size_t size = (size_t)256 << 20;
    if (gpu->ecc) {
        while (size < gpu->total_bytes)
            size *= 2;
    }
    return size;
}

static void print_gpu(const Report *report, int i)
{
    const GpuModel *gpu = &report->machine.gpus[i];
    size_t total = gpu->smi_total_bytes, used = used_bytes(report, i);
    size_t reserved = 0;
    printf("GPU %08X:%02X:%02X.0\n", (unsigned)gpu->pci_domain,
           (unsigned)gpu->pci_bus, (unsigned)gpu->pci_device);
    puts("    FB Memory Usage");
    put_size(report, "Total", total);
    if (report->driver >= 510) {
        // What the driver keeps: the difference to what CUDA calls total.
        size_t shown = gpu->total_bytes >> 20 << 20;
        reserved = total > shown ? total - shown : 0;
        if (used + reserved > total)
            reserved = total - used;
        put_size(report, "Reserved", reserved);
    }
    put_size(report, "Used", used);
    put_size(report, "Free", total - reserved - used);
    size_t window = window_bytes(gpu), window_used = (size_t)2 << 20;
    puts("    BAR1 Memory Usage");
    put_size(report, "Total", window);
    put_size(report, "Used", window_used);
    put_size(report, "Free", window - window_used);
    if (report->driver >= 535) {
        puts("    Conf Compute Protected Memory Usage");
        put_size(report, "Total", 0);
        put_size(report, "Used", 0);
        put_size(report, "Free", 0);
    }
    puts("");
}

void print_memory_query(const Report *report)
{
    char count[16];
    snprintf(count, sizeof(count), "%d", report->machine.n_gpus);
    puts("\n==============NVSMI LOG==============\n");
    put_text(report, 0, "Timestamp", time_text());
    put_text(report, 0, "Driver Version", report->machine.smi_driver);
    put_text(report, 0, "CUDA Version", report->machine.smi_cuda);
    puts("");
    put_text(report, 0, "Attached GPUs", count);
    for (int i = 0; i < report->machine.n_gpus; i++)
        print_gpu(report, i);
}

void print_list(const Report *report)
{
    for (int i = 0; i < report->machine.n_gpus; i++)
        printf("GPU %d: %s (UUID: %s)\n", i, report->machine.gpus[i].name,
               report->machine.gpus[i].uuid);
}
