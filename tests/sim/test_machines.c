/* Machines: the built-in ones, the file format and its messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine.h"       // defines: Machine, machine_load
#include "machine_parse.h" // defines: machine_parse, machine_value

static Machine machine;
static char why[512];

static bool parse(const char *text)
{
    why[0] = '\0';
    return machine_parse("file", text, strlen(text), &machine, why,
                         sizeof(why));
}

static void refused(const char *text, const char *sentence)
{
    assert_false(parse(text));
    assert_string_equal(why, sentence);
}

static void all_built_in_machines_load(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int n_gpus;
    } expected[] = {{"v100x8", 8}, {"v100x4", 4},         {"t4", 1},
                    {"h200", 1},   {"rtx3070-laptop", 1}, {"mixed", 2},
                    {"busy4", 4},  {"none", 0},           {"nodriver", 0}};
    assert_int_equal(n_builtin_machines, 9);
    for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
        if (!machine_load(expected[i].name, &machine, why, sizeof(why)))
            fail_msg("%s", why);
        assert_int_equal(machine.n_gpus, expected[i].n_gpus);
        assert_string_equal(machine.name, expected[i].name);
        assert_true(machine.host.flops_per_s > 1e9);
    }
    assert_false(machine.has_driver); // the last one is nodriver
    assert_int_equal(machine.driver_version, 0);
}

/* Every line that sets something says where that is from. */
static void every_figure_has_its_source(void **state)
{
    (void)state;
    for (int i = 0; i < n_builtin_machines; i++) {
        char *text = calloc(1, builtin_machines[i].bytes + 1);
        assert_non_null(text);
        memcpy(text, builtin_machines[i].text, builtin_machines[i].bytes);
        char *rest = NULL;
        for (char *line = strtok_r(text, "\n", &rest); line;
             line = strtok_r(NULL, "\n", &rest)) {
            bool sets = *line != '#' && *line != '[' && strchr(line, '=') &&
                        strncmp(line, "like =", 6) != 0;
            if (sets && !strstr(line, "# source: ") &&
                !strstr(line, "# assumed"))
                fail_msg("%s: no source: %s", builtin_machines[i].name, line);
        }
        free(text);
    }
}

static void the_v100_has_its_figures(void **state)
{
    (void)state;
    assert_true(machine_load("v100x8", &machine, why, sizeof(why)));
    const GpuModel *gpu = &machine.gpus[0];
    assert_string_equal(gpu->name, "Tesla V100-PCIE-32GB");
    assert_int_equal(gpu->cc_major, 7);
    assert_int_equal(gpu->cc_minor, 0);
    assert_int_equal(gpu->n_sms, 80);
    assert_int_equal(gpu->clock_khz, 1380000);
    assert_true(gpu->smi_total_bytes == (size_t)32510 << 20);
    assert_true(gpu->idle_bytes == (size_t)22 << 20);
    assert_true(machine.gpus[1].idle_bytes == 0);
    assert_int_equal(gpu->pci_bus, 0x89);
    assert_int_equal(machine.gpus[1].pci_bus, 0x8a);
    assert_int_equal(machine.gpus[2].pci_bus, 0x8b);
    assert_int_equal(gpu->h2d_pinned.t0_ns, 2750);
    assert_true(gpu->h2d_pinned.bytes_per_s == 12.35e9);
    assert_true(gpu->flops_per_s[RATE_FLOAT16] > 100e12);
    assert_true(machine.can_peer[0][7]);
    assert_false(machine.can_peer[3][3]);
}

static void on_mixed_the_slow_card_comes_first(void **state) // seeds T8
{
    (void)state;
    assert_true(machine_load("mixed", &machine, why, sizeof(why)));
    assert_string_equal(machine.gpus[0].name, "Tesla T4");
    assert_true(machine.gpus[0].flops_per_s[RATE_FLOAT32] <
                machine.gpus[1].flops_per_s[RATE_FLOAT32]);
    assert_false(machine.can_peer[0][1]);
}

static void a_file_loads_by_its_path(void **state)
{
    (void)state;
    assert_true(
        machine_load(MACHINES_DIR "/t4.machine", &machine, why, sizeof(why)));
    assert_string_equal(machine.gpus[0].name, "Tesla T4");
    assert_false(machine_load("/no/such.machine", &machine, why, sizeof(why)));
    assert_string_equal(why, "cannot read machine file \"/no/such.machine\": "
                             "No such file or directory");
    assert_false(machine_load(MACHINES_DIR, &machine, why, sizeof(why)));
    assert_non_null(strstr(why, "cannot read machine file"));
}

static void an_unknown_name_lists_the_known_ones(void **state)
{
    (void)state;
    assert_false(machine_load("v100", &machine, why, sizeof(why)));
    assert_string_equal(
        why, "no machine is called \"v100\"; choose one of v100x8, v100x4, "
             "rtx3070-laptop, t4, h200, mixed, busy4, none, nodriver, or give "
             "the path of a machine file (with a / or a . in it)");
}

static void each_fault_has_its_sentence(void **state)
{
    (void)state;
    refused("x\n", "file:1: \"x\"; expected \"key = value\", a [section] or a "
                   "# comment");
    refused("a = 1", "file:1: \"a\" stands before any section; expected "
                     "[machine]");
    refused("\n[cpu]\n", "file:2: unknown section [cpu]; expected [machine], "
                         "[host], [calls], [links] or [gpu 0]");
    refused("[machine", "file:1: \"[machine\"; expected a section's name "
                        "between [ and ]");
    refused("[gpu 0]", "file:1: [gpu 0] comes before the number of GPUs; give "
                       "\"gpus = 8\" in [machine] first");
    refused("like = v100x4\n[gpu 4]",
            "file:2: [gpu 4] names no GPU of this machine; expected a range "
            "such as [gpu 0-1], below 4");
    refused("like = v100x4\n[gpu 2-1]",
            "file:2: [gpu 2-1] names no GPU of this machine; expected a range "
            "such as [gpu 0-1], below 4");
    refused("like = cray", "file:1: no built-in machine is called \"cray\"");
    refused("[machine]\nlike = t4", "file:2: \"like\" inside a section; it "
                                    "must be the first line of all");
    refused("[machine]\ngpus = 65",
            "file:2: gpus = 65; expected a number from 0 to 64");
    refused("[machine]\ncolour = red",
            "file:2: unknown key \"colour\" in [machine]");
    refused("[host]\nflops = 3 GHz", "file:2: flops = 3 GHz; expected a rate "
                                     "such as 14.13 TFLOP/s or 14.13 TFLOP/s "
                                     "* 0.9");
    refused("like = v100x8\n[links]\npeers = some",
            "file:3: peers: \"some\"; expected all, none, or groups such as "
            "0-1 2-3");
    refused("like = v100x8\n[machine]\ndriver = no\n",
            "file:3: a machine without a driver shows no GPUs; expected gpus "
            "= 0 or driver = yes");
    refused("like = v100x4\n[machine]\ngpus = 9",
            "file:3: gpu 4 has no \"name\"");
    refused("like = v100x4\n[gpu 1]\nothers = 32 GiB",
            "file:3: gpu 1 uses or offers more memory than the smi_memory it "
            "has");
    refused("like = v100x4\n[gpu 1]\nuuid = 7",
            "file:3: gpu 1: uuid = 7; expected GPU- and 36 letters");
    refused("like = v100x4\n[gpu 1]\nbus_id = 00000000:01:00.0",
            "file:3: gpu 1: its bus_id must come after gpu 0's");
    refused("like = v100x4\n[gpu 1]\n"
            "uuid = GPU-8932f937-d72c-4106-c12f-20bd9faed9f6",
            "file:3: gpu 0 and gpu 1 have the same uuid");
    refused("", "file:0: the file ends without \"gpus = ...\"");
    refused("[machine]\ngpus = 0\n",
            "file:2: the file ends and [machine] has no \"driver\"");
}

static void values_say_what_they_expect(void **state)
{
    (void)state;
    union {
        char text[64];
        double number;
        LinkCost link;
        int whole[4];
        size_t bytes;
    } out;
    static const struct {
        ValueKind kind;
        const char *text, *expected; // NULL: it is right
    } rows[] = {
        {VALUE_COUNT, "0", "a whole number from 1 on"},
        {VALUE_VERSION, "-1", "a whole number from 0 on"},
        {VALUE_VERSION, "99999999999999999999", "a whole number from 0 on"},
        {VALUE_YES_NO, "true", "yes or no"},
        {VALUE_YES_NO, "no", NULL},
        {VALUE_BYTES, "32 Gib", "a size such as 32510 MiB"},
        {VALUE_BYTES, "1e3 B", "a size such as 32510 MiB"},
        {VALUE_BYTES, "1.5 KiB", NULL},
        {VALUE_NS, "2 minutes", "a time such as 2.75 us"},
        {VALUE_NS_PER_B, "1 ns", "a cost such as 0.1 ns/B"},
        {VALUE_KHZ, "0 MHz", "a frequency such as 1380 MHz"},
        {VALUE_BYTE_RATE, "898 GB/s * 1.1",
         "a rate such as 898 GB/s or 898 GB/s * 0.86"},
        {VALUE_BYTE_RATE, "0 GB/s",
         "a rate such as 898 GB/s or 898 GB/s * 0.86"},
        {VALUE_BYTE_RATE, "898 GB/s * 0.5", NULL},
        {VALUE_LINK, "12 GB/s",
         "a time and a rate such as 2.75 us + 12.35 GB/s"},
        {VALUE_LINK, "1 us + 1 GB/s", NULL},
        {VALUE_PCI, "89:00.0", "a bus id such as 00000000:89:00.0"},
        {VALUE_PCI, "0:89:00.1", "a bus id such as 00000000:89:00.0"},
        {VALUE_CAPABILITY, "7", "a version such as 7.0"},
        {VALUE_HEX, "1db610de", "eight digits as in 0x1db610de"},
        {VALUE_TEXT, "", "a text, no longer than its field in nvidia-smi"},
        {VALUE_TEXT, "caf\xc3\xa9", "plain ASCII text"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const char *got =
            machine_value(rows[i].kind, sizeof(out.text), rows[i].text, &out);
        if (rows[i].expected)
            assert_string_equal(got ? got : "nothing", rows[i].expected);
        else if (got)
            fail_msg("\"%s\": %s", rows[i].text, got);
    }
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Garbage never crashes it: random bytes, and real files with a few bytes
 * changed, cut off anywhere. */
static void garbage_is_refused_in_words(void **state)
{
    (void)state;
    uint32_t seed = 1;
    const BuiltinMachine *real = machine_builtin("busy4");
    assert_non_null(real);
    char *text = malloc(real->bytes);
    assert_non_null(text);
    int n_refused = 0;
    for (int round = 0; round < 3000; round++) {
        size_t n = next_random(&seed) % real->bytes;
        if (round % 3 == 0) {
            for (size_t i = 0; i < n; i++)
                text[i] = (char)next_random(&seed);
        } else {
            memcpy(text, real->text, n);
            for (int k = 0; k < 4 && n > 0; k++)
                text[next_random(&seed) % n] = (char)next_random(&seed);
        }
        why[0] = '\0';
        if (!machine_parse("f", text, n, &machine, why, sizeof(why))) {
            n_refused++;
            assert_memory_equal(why, "f:", 2);
        }
    }
    free(text);
    assert_true(n_refused > 2000);
}

/* "all" is as many as a machine may have. */
static void all_are_peers_of_all(void **state)
{
    (void)state;
    assert_true(parse("like = v100x8\n[links]\npeers = all\n"));
    for (int i = 0; i < MACHINE_MAX_GPUS; i++)
        for (int j = 0; j < MACHINE_MAX_GPUS; j++)
            assert_int_equal(machine.can_peer[i][j], i != j);
}

/* A message longer than its room is cut, not written past it. */
static void a_short_room_for_the_reason_is_enough(void **state)
{
    (void)state;
    char small[8] = "";
    assert_false(machine_parse("file", "x", 1, &machine, small, sizeof(small)));
    assert_int_equal(strlen(small), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_built_in_machines_load),
        cmocka_unit_test(every_figure_has_its_source),
        cmocka_unit_test(the_v100_has_its_figures),
        cmocka_unit_test(on_mixed_the_slow_card_comes_first),
        cmocka_unit_test(a_file_loads_by_its_path),
        cmocka_unit_test(an_unknown_name_lists_the_known_ones),
        cmocka_unit_test(each_fault_has_its_sentence),
        cmocka_unit_test(values_say_what_they_expect),
        cmocka_unit_test(garbage_is_refused_in_words),
        cmocka_unit_test(all_are_peers_of_all),
        cmocka_unit_test(a_short_room_for_the_reason_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
