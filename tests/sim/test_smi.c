/* smi: the tables, the list and the memory report, and what running programs
 * add to them. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <cuda_runtime.h> // defines: cudaMalloc, cudaSetDevice

#include "smi_output.h" // defines: smi, has, output, status

#define OK(call) assert_int_equal(call, cudaSuccess)

static void the_table_of_eight_v100(void **state) // seeds 0.1
{
    (void)state;
    smi("v100x8", "");
    assert_int_equal(status, 0);
    has("Tue Dec 10 11:04:23 2019       \n"
        "+-----------------------------------------------------------------"
        "------------+\n"
        "| NVIDIA-SMI 430.50       Driver Version: 430.50       CUDA Version: "
        "10.1     |\n"
        "|-------------------------------+----------------------+----------"
        "------------+\n"
        "| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile "
        "Uncorr. ECC |\n"
        "| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  "
        "Compute M. |\n"
        "|===============================+======================+=========="
        "============|\n"
        "|   0  Tesla V100-PCIE...  Off  | 00000000:89:00.0 Off |            "
        "        0 |\n"
        "| N/A   36C    P0    26W / 250W |     22MiB / 32510MiB |      0%    "
        "  Default |\n"
        "+-------------------------------+----------------------+----------"
        "------------+\n"
        "|   1  Tesla V100-PCIE...  Off  | 00000000:8A:00.0 Off |            "
        "        0 |\n"
        "| N/A   35C    P0    26W / 250W |      0MiB / 32510MiB |      0%    "
        "  Default |\n"
        "+-------------------------------+----------------------+----------"
        "------------+\n"
        "|   2  Tesla V100-PCIE...  Off  | 00000000:8B:00.0 Off |            "
        "        0 |\n");
    has("| Processes:                                                       "
        "GPU Memory |\n"
        "|  GPU       PID   Type   Process name                             "
        "Usage      |\n"
        "|============================================================="
        "================|\n"
        "|  No running processes found                                      "
        "           |\n");
    has("|   7  Tesla V100-PCIE...  Off  |");
    assert_null(strstr(output, "|   8  "));
    assert_null(strstr(output, "MIG"));
}

static void the_table_of_the_laptop(void **state) // seeds 2.1
{
    (void)state;
    smi("rtx3070-laptop", "");
    has("| NVIDIA-SMI 511.79       Driver Version: 511.79       CUDA Version: "
        "11.6     |\n"
        "|-------------------------------+----------------------+----------"
        "------------+\n"
        "| GPU  Name            TCC/WDDM | Bus-Id        Disp.A | Volatile "
        "Uncorr. ECC |\n"
        "| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  "
        "Compute M. |\n"
        "|                               |                      |            "
        "   MIG M. |\n");
    has("|   0  NVIDIA GeForce ... WDDM  | 00000000:01:00.0 Off |            "
        "      N/A |\n"
        "| N/A   68C    P0   103W /  N/A |   5199MiB /  8192MiB |     66%    "
        "  Default |\n"
        "|                               |                      |            "
        "      N/A |\n");
    has("|  GPU   GI   CI        PID   Type   Process name                  "
        "GPU Memory |\n");
}

/* Every line of a table but the time and the empty ones is as wide. */
static void tables_are_straight(void **state)
{
    (void)state;
    static const struct {
        const char *machine;
        size_t width;
    } rows[] = {{"v100x8", 79}, {"rtx3070-laptop", 79}, {"busy4", 79},
                {"mixed", 79},  {"h200", 91},           {"t4", 91}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        smi(rows[i].machine, "");
        char *rest = NULL;
        strtok_r(output, "\n", &rest); // the time
        for (char *line; (line = strtok_r(NULL, "\n", &rest));) {
            bool is_rule = *line == '+' || *line == '|';
            if (is_rule && strlen(line) != rows[i].width)
                fail_msg("%s: %zu wide: %s", rows[i].machine, strlen(line),
                         line);
        }
    }
}

static void the_wide_table_of_new_drivers(void **state)
{
    (void)state;
    smi("h200", "");
    has("|   0  NVIDIA H200                    On  |   00000000:18:00.0 Off | "
        "                   0 |\n"
        "| N/A   30C    P0             76W /  700W |       1MiB / 143771MiB | "
        "     0%      Default |\n"
        "|                                         |                        | "
        "            Disabled |\n");
}

static void the_list_gives_uuids(void **state)
{
    (void)state;
    smi("mixed", "-L");
    assert_string_equal(
        output,
        "GPU 0: Tesla T4 (UUID: GPU-e5f60718-3d4e-4f60-9b72-8394a5b6c7d8)\n"
        "GPU 1: Tesla V100-PCIE-32GB (UUID: "
        "GPU-f6071829-4e5f-4071-8c83-94a5b6c7d8e9)\n"); // seeds T8
    smi("mixed", "--list-gpus");
    assert_int_equal(status, 0);
}

static void free_memory_by_grep(void **state) // seeds 4.12, seeds 4.13
{
    (void)state;
    smi("busy4", "-q -d Memory | grep -A4 GPU | grep Free");
    assert_string_equal(output, "        Free                        : "
                                "10362 MiB\n"
                                "        Free                        : "
                                "10058 MiB\n"
                                "        Free                        : "
                                "9990 MiB\n"
                                "        Free                        : "
                                "9990 MiB\n");
}

static void the_old_report_has_no_reserved_line(void **state) // seeds T6
{
    (void)state;
    smi("busy4", "-q -d MEMORY");
    has("\n==============NVSMI LOG==============\n\n"
        "Timestamp                           : Tue Dec 10 11:04:23 2019\n"
        "Driver Version                      : 430.50\n"
        "CUDA Version                        : 10.1\n\n"
        "Attached GPUs                       : 4\n"
        "GPU 00000000:1A:00.0\n"
        "    FB Memory Usage\n"
        "        Total                       : 11019 MiB\n"
        "        Used                        : 657 MiB\n"
        "        Free                        : 10362 MiB\n"
        "    BAR1 Memory Usage\n");
    assert_null(strstr(output, "Reserved"));
}

static void the_new_report_pushes_free_out_of_the_cut(void **state) // seeds T6
{
    (void)state;
    smi("rtx3070-laptop", "-q -d MEMORY");
    has("    FB Memory Usage\n"
        "        Total                             : 8192 MiB\n"
        "        Reserved                          : 1 MiB\n"
        "        Used                              : 5199 MiB\n"
        "        Free                              : 2992 MiB\n");
    smi("h200", "-q -d Memory | grep -A4 'GPU 0' | grep Free");
    assert_string_equal(output, "");
    smi("h200", "-q -d Memory | grep -A5 'GPU 0' | grep -c Free");
    assert_string_equal(output, "1\n");
}

static void attached_gpus_matches_too(void **state) // seeds T7
{
    (void)state;
    smi("busy4", "-q -d Memory | grep -c GPU"); // four cards, and the count
    assert_string_equal(output, "5\n");
    smi("busy4", "-q -d Memory | grep -A4 'GPU 00000000:1A' | wc -l");
    assert_int_equal(atoi(output), 5); // the match and four more
}

static void without_a_driver_it_says_so(void **state) // seeds 0.17
{
    (void)state;
    smi("nodriver", "");
    assert_string_equal(
        output, "NVIDIA-SMI has failed because it couldn't communicate with "
                "the NVIDIA driver. Make sure that the latest NVIDIA driver "
                "is installed and running.\n\n");
    assert_int_equal(status, 9);
    smi("none", "");
    assert_string_equal(output, "No devices were found\n");
    assert_int_equal(status, 6);
}

static void a_bad_option_or_machine_is_refused(void **state)
{
    (void)state;
    smi("v100x8", "--colour");
    assert_string_equal(output, "smi: \"--colour\" is not one of its options; "
                                "it knows -L, -q -d MEMORY, "
                                "--query-gpu=FIELDS --format=csv, -i GPUS "
                                "and, without options, the table\n");
    assert_int_equal(status, 2);
    smi("v100x8", "-q");
    assert_int_equal(status, 2);
    smi("v100x8", "-q -d CLOCK");
    assert_int_equal(status, 2);
    smi("cray", "");
    has("smi: no machine is called \"cray\"; choose one of v100x8,");
    assert_int_equal(status, 2);
    smi("v100x8", "--help");
    has("smi -q -d MEMORY    the memory of each GPU\n");
}

/* The test's own process is the running program. */
static void a_running_program_is_seen(void **state)
{
    (void)state;
    void *p = NULL;
    char line[128];
    OK(cudaSetDevice(3));
    OK(cudaMalloc(&p, (size_t)1 << 30));
    smi("v100x8", "");
    has("|   3  Tesla V100-PCIE...  Off  | 00000000:8C:00.0 Off |            "
        "        0 |\n"
        "| N/A   35C    P0    26W / 250W |   1354MiB / 32510MiB |");
    snprintf(line, sizeof(line), "|    3 %9ld      C   ", (long)getpid());
    has(line);
    has("1354MiB |\n");
    smi("v100x4", ""); // another machine: not there
    has("No running processes found");
    OK(cudaFree(p));
    smi("v100x8", "");
    has("    330MiB / 32510MiB |"); // the context stays
    OK(cudaDeviceReset());
}

/* A process number may come round again: when it began tells them apart. */
static void another_with_our_number_is_not_us(void **state)
{
    (void)state;
    char path[512];
    uint64_t started;
    void *p;
    OK(cudaMalloc(&p, 1));
    snprintf(path, sizeof(path), "%s/cudasim/%ld", getenv("XDG_RUNTIME_DIR"),
             (long)getpid());
    int file = open(path, O_RDWR);
    assert_true(file >= 0);
    enum { STARTED = 8 }; // its place in a RegistryEntry
    assert_int_equal(pread(file, &started, sizeof(started), STARTED),
                     sizeof(started));
    started++;
    assert_int_equal(pwrite(file, &started, sizeof(started), STARTED),
                     sizeof(started));
    close(file);
    smi("v100x8", "");
    has("No running processes found");
    OK(cudaFree(p));
}

static void a_program_that_ends_leaves_nothing(void **state)
{
    (void)state;
    char path[512];
    struct stat is;
    assert_int_equal(system("'" HOLD "'"), 0);
    snprintf(path, sizeof(path), "%s/cudasim", getenv("XDG_RUNTIME_DIR"));
    assert_int_not_equal(stat(path, &is), 0);
}

/* A process that was killed leaves its file; smi takes it away. */
static void a_dead_program_is_forgotten(void **state)
{
    (void)state;
    char path[512];
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        execl(HOLD, HOLD, "die", (char *)NULL);
        _exit(127);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
    snprintf(path, sizeof(path), "%s/cudasim/%ld", getenv("XDG_RUNTIME_DIR"),
             (long)child);
    struct stat is;
    assert_int_equal(stat(path, &is), 0); // it was announced
    smi("v100x8", "");
    assert_null(strstr(output, "hold"));
    assert_int_not_equal(stat(path, &is), 0);
}

static int use_a_folder_of_our_own(void **state)
{
    (void)state;
    static char folder[] = "/tmp/smi-test-XXXXXX";
    if (!mkdtemp(folder))
        return -1;
    setenv("TZ", "UTC", 1);
    return setenv("XDG_RUNTIME_DIR", folder, 1);
}

static int remove_the_folder(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof(path), "rm -rf '%s'", getenv("XDG_RUNTIME_DIR"));
    return system(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_of_eight_v100),
        cmocka_unit_test(the_table_of_the_laptop),
        cmocka_unit_test(tables_are_straight),
        cmocka_unit_test(the_wide_table_of_new_drivers),
        cmocka_unit_test(the_list_gives_uuids),
        cmocka_unit_test(free_memory_by_grep),
        cmocka_unit_test(the_old_report_has_no_reserved_line),
        cmocka_unit_test(the_new_report_pushes_free_out_of_the_cut),
        cmocka_unit_test(attached_gpus_matches_too),
        cmocka_unit_test(without_a_driver_it_says_so),
        cmocka_unit_test(a_bad_option_or_machine_is_refused),
        cmocka_unit_test(a_running_program_is_seen),
        cmocka_unit_test(another_with_our_number_is_not_us),
        cmocka_unit_test(a_program_that_ends_leaves_nothing),
        cmocka_unit_test(a_dead_program_is_forgotten),
    };
    return cmocka_run_group_tests(tests, use_a_folder_of_our_own,
                                  remove_the_folder);
}
