/* Lesson 06, beside the worked program: a report, and a cut of it.
 *
 * run   build/sim/lessons/06_visible_devices/report
 *       (machines: busy4, an old driver; h200, a new one)
 */
#include "lesson/lesson.h" // defines: lesson_begin, lesson_end, say
#include "smi.h"           // defines: smi_open

static void print_cut(const char *program, const char *rest)
{
    char line[512];
    FILE *report = smi_open(program, rest);
    while (report && fgets(line, sizeof line, report))
        fputs(line, stdout);
    if (report)
        pclose(report);
}

int main(int argc, char **argv)
{
    (void)argc;
    lesson_begin("06_visible_devices");
    say("-q -d Memory | grep -A4 GPU");
    print_cut(argv[0], "-q -d Memory | grep -A4 GPU");
    say("... | grep Free");
    print_cut(argv[0], "-q -d Memory | grep -A4 GPU | grep Free");
    return lesson_end();
}
