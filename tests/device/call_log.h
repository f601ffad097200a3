/* Which CUDA calls the library made: the simulator's call log, read back.
 *
 * The program runs with SIM_LOG=<file> in its environment. A test takes a mark,
 * does something, and counts the calls made since. */
#ifndef TESTS_DEVICE_CALL_LOG_H
#define TESTS_DEVICE_CALL_LOG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALL_LINE_BYTES = 1024 };

/* Where the log ends now. */
static inline long call_log_mark(void)
{
    FILE *log = fopen(getenv("SIM_LOG"), "r");
    if (log == NULL)
        return -1;
    fseek(log, 0, SEEK_END);
    long mark = ftell(log);
    fclose(log);
    return mark;
}

/* How many lines since the mark hold these words; -1: there is no log. */
static inline int call_log_count(long mark, const char *words)
{
    char line[CALL_LINE_BYTES];
    int n = 0;
    FILE *log = fopen(getenv("SIM_LOG"), "r");
    if (log == NULL)
        return -1;
    fseek(log, mark, SEEK_SET);
    while (fgets(line, sizeof line, log))
        n += strstr(line, words) != NULL;
    fclose(log);
    return n;
}

#endif
