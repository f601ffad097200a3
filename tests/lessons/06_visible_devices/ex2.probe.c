/* seeds 3.13, seeds 4.7: who set the variable, and when. */
#include "lesson/probe.h" // defines: probe_*, fact_*
#include <stdio.h>

int predict_count(int n_gpus, int n_exported, bool asked_first, int n_named,
                  bool overwrite);

int main(int argc, char **argv)
{
    probe_begin(argc, argv);
    int n_gpus = (int)probe_int(6, 8);
    int n_named = (int)probe_int(1, 2), n_exported = (int)probe_int(3, 5);
    int exported[] = {-1, 0, n_exported}, named[] = {0, n_named};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 8; j++) {
            bool asked = j & 1, overwrite = j & 2;
            int n = named[j >> 2];
            char name[128];
            snprintf(
                name, sizeof name,
                "the count: %d GPUs, exported %d, %sasked first, named %d, "
                "overwrite %d",
                n_gpus, exported[i], asked ? "" : "not ", n, overwrite);
            fact_int(name,
                     predict_count(n_gpus, exported[i], asked, n, overwrite));
        }
    return probe_end();
}
