/* Probe of exercise 2: a name and a count. */
#include "lesson/probe_plain.h" // defines: probe_*, fact_*

int place(char *out, int size); // the student's

int main(int argc, char **argv)
{
    char name[32] = "";
    probe_begin(argc, argv);
    int count = place(name, sizeof name);
    fact_text("name", name);
    fact_int("count", count);
    return probe_end();
}
