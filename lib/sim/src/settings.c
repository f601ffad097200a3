/* The environment, read once. */
#include "settings.h" // defines: this file's interface

#include <stdio.h>  // defines: fprintf, snprintf
#include <stdlib.h> // defines: getenv, _Exit
#include <string.h> // defines: strcmp

#include "log.h"      // defines: log_open
#include "schedule.h" // defines: schedule_order
#include "trace.h"    // defines: trace_open

enum { SENTENCE = 1024, EXIT_USAGE = 2 };

Settings settings;

_Noreturn void settings_refuse(const char *sentence)
{
    fflush(NULL);
    fprintf(stderr, "cudasim: %s\n", sentence);
    fflush(stderr);
    _Exit(EXIT_USAGE); // not exit: handlers there may call us again
}

static _Noreturn void refuse(const char *name, const char *value,
                             const char *valid)
{
    char text[SENTENCE];
    snprintf(text, sizeof text, "%s=%s is not valid; it can be %s.", name,
             value, valid);
    settings_refuse(text);
}

static bool is_unset(const char *value)
{
    return value == NULL || *value == '\0';
}

static void read_order(void)
{
    const char *value = getenv("SIM_ORDER");
    if (is_unset(value) || strcmp(value, "chronological") == 0)
        schedule_order = ORDER_CHRONOLOGICAL;
    else if (strcmp(value, "adversarial") == 0)
        schedule_order = ORDER_ADVERSARIAL;
    else
        refuse("SIM_ORDER", value,
               "chronological (the default) or adversarial");
}

static void read_launch_blocking(void)
{
    const char *value = getenv("CUDA_LAUNCH_BLOCKING");
    if (is_unset(value))
        return;
    char *end;
    long number = strtol(value, &end, 10);
    if (*end != '\0')
        refuse("CUDA_LAUNCH_BLOCKING", value, "0 or 1");
    settings.launch_blocking = number != 0;
}

static void read_device_order(void)
{
    const char *value = getenv("CUDA_DEVICE_ORDER");
    if (is_unset(value) || strcmp(value, "FASTEST_FIRST") == 0)
        settings.pci_order = false;
    else if (strcmp(value, "PCI_BUS_ID") == 0)
        settings.pci_order = true;
    else
        refuse("CUDA_DEVICE_ORDER", value,
               "FASTEST_FIRST (the default) or PCI_BUS_ID");
}

void settings_read(void)
{
    char why[SENTENCE];
    settings.machine = getenv("SIM_MACHINE");
    if (is_unset(settings.machine))
        settings.machine = "v100x8";
    settings.visible = getenv("CUDA_VISIBLE_DEVICES");
    read_order();
    read_launch_blocking();
    read_device_order();
    if (!log_open(getenv("SIM_LOG"), why, sizeof why) ||
        !trace_open(getenv("SIM_TRACE"), why, sizeof why))
        settings_refuse(why);
}
