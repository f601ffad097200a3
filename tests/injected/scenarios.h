/* Whole pieces of work for the failures to be injected into. */
#ifndef TESTS_INJECTED_SCENARIOS_H
#define TESTS_INJECTED_SCENARIOS_H

#include <stdbool.h>

enum { RESULT_BYTES = 8192 };

/* `work` does it in the scope that is open, writes what came out as text, and
 * returns whether all of it succeeded. It seeds what it draws: the text is the
 * same every time. */
typedef struct Scenario {
    const char *name;
    bool (*work)(char result[RESULT_BYTES]);
} Scenario;

extern const Scenario scenarios[];
extern const int n_scenarios;

#endif
