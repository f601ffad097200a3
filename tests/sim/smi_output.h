/* What smi says, for tests of it. */
#ifndef TESTS_SIM_SMI_OUTPUT_H
#define TESTS_SIM_SMI_OUTPUT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

static char output[65536];
static int status;

/* Run smi on a machine, perhaps through a pipe; its output is in `output`. */
static inline const char *smi(const char *machine, const char *arguments)
{
    char command[1024];
    snprintf(command, sizeof(command),
             "SOURCE_DATE_EPOCH=1575975863 SIM_MACHINE=%s '%s' %s 2>&1",
             machine, SMI, arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t n = fread(output, 1, sizeof(output) - 1, pipe);
    output[n] = '\0';
    status = WEXITSTATUS(pclose(pipe));
    return output;
}

/* `lines` stand in the output as they are, one after the other. */
static inline void has(const char *lines)
{
    if (!strstr(output, lines))
        fail_msg("no\n%s\nin\n%s", lines, output);
}

#endif
