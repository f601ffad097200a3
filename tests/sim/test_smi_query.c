/* smi -i and smi --query-gpu=FIELDS --format=csv. */
#include "smi_output.h" // defines: smi, has, output, status

/* What smi prints, to the letter, on both streams. */
static void says(const char *machine, const char *arguments, int exit_status,
                 const char *expected)
{
    smi(machine, arguments);
    assert_string_equal(output, expected);
    assert_int_equal(status, exit_status);
}

static void a_line_a_gpu(void **state)
{
    (void)state;
    says("busy4",
         "--query-gpu=index,name,memory.total,memory.used,memory.free "
         "--format=csv",
         0,
         "index, name, memory.total [MiB], memory.used [MiB], memory.free "
         "[MiB]\n"
         "0, GeForce RTX 2080 Ti, 11019 MiB, 657 MiB, 10362 MiB\n"
         "1, GeForce RTX 2080 Ti, 11019 MiB, 961 MiB, 10058 MiB\n"
         "2, GeForce RTX 2080 Ti, 11019 MiB, 1029 MiB, 9990 MiB\n"
         "3, GeForce RTX 2080 Ti, 11019 MiB, 1029 MiB, 9990 MiB\n");
}

static void header_and_units_may_go(void **state)
{
    (void)state;
    says("mixed", "--query-gpu=index,uuid,memory.free --format=csv,noheader", 0,
         "0, GPU-e5f60718-3d4e-4f60-9b72-8394a5b6c7d8, 15109 MiB\n"
         "1, GPU-f6071829-4e5f-4071-8c83-94a5b6c7d8e9, 32510 MiB\n");
    says("rtx3070-laptop",
         "--format=noheader,nounits,csv "
         "--query-gpu=utilization.gpu,temperature.gpu,memory.free",
         0, "66, 68, 2992\n");
    says("rtx3070-laptop",
         "--query-gpu=utilization.gpu,temperature.gpu --format=csv,nounits", 0,
         "utilization.gpu [%], temperature.gpu\n66, 68\n");
}

static void other_names_of_a_field(void **state)
{
    (void)state;
    says("t4",
         "'--query-gpu=gpu_name, gpu_bus_id,driver_version,count' "
         "--format=csv",
         0,
         "name, pci.bus_id, driver_version, count\n"
         "Tesla T4, 00000000:00:04.0, 580.65.06, 1\n");
    smi("mixed", "--query-gpu=gpu_uuid --format=csv,noheader,nounits");
    assert_string_equal(output, "GPU-e5f60718-3d4e-4f60-9b72-8394a5b6c7d8\n"
                                "GPU-f6071829-4e5f-4071-8c83-94a5b6c7d8e9\n");
}

/* Free is what is neither used nor the driver's own, as in -q -d MEMORY. */
static void memory_agrees_with_the_long_report(void **state)
{
    (void)state;
    smi("rtx3070-laptop", "-q -d MEMORY");
    has("        Reserved                          : 1 MiB\n"
        "        Used                              : 5199 MiB\n"
        "        Free                              : 2992 MiB\n");
    says("rtx3070-laptop",
         "--query-gpu=memory.total,memory.used,memory.free "
         "--format=csv,noheader",
         0, "8192 MiB, 5199 MiB, 2992 MiB\n");
}

static void what_a_card_cannot_say_stands_in_brackets(void **state)
{
    (void)state;
    says(SILENT_MACHINE, "--query-gpu=index,utilization.gpu --format=csv", 0,
         "index, utilization.gpu [%]\n0, [N/A]\n1, 100 %\n");
    says(SILENT_OLD_MACHINE,
         "--query-gpu=utilization.gpu --format=csv,noheader", 0,
         "[Not Supported]\n");
}

static void some_of_the_gpus(void **state)
{
    (void)state;
    says("v100x8", "--id=1,6 --query-gpu=index,pci.bus_id --format=csv", 0,
         "index, pci.bus_id\n"
         "1, 00000000:8A:00.0\n"
         "6, 00000000:B4:00.0\n");
    says("mixed", "-L -i GPU-f6071829-4e5f-4071-8c83-94a5b6c7d8e9", 0,
         "GPU 1: Tesla V100-PCIE-32GB (UUID: "
         "GPU-f6071829-4e5f-4071-8c83-94a5b6c7d8e9)\n");
    smi("v100x8", "-i 0000:8b:00.0");
    has("|   2  Tesla V100-PCIE...  Off  | 00000000:8B:00.0 Off |");
    assert_null(strstr(output, "|   0  "));
    assert_null(strstr(output, "|   3  "));
    smi("busy4", "-q -d MEMORY -i 3 | grep '^GPU'");
    has("GPU 00000000:");
    assert_string_equal(strchr(output, '\n'), "\n"); // one line
}

static void a_gpu_that_is_not_there(void **state)
{
    (void)state;
    says("v100x4", "-i 0,4", 6,
         "No devices were found\n"
         "smi: \"4\" is no GPU of v100x4; -i takes indices from 0 to 3, UUIDs "
         "or bus ids, with commas between them\n");
    smi("v100x4", "-L -i 0000:01:00.0");
    has("No devices were found\nsmi: \"0000:01:00.0\" is no GPU of v100x4;");
    smi("v100x4", "-i ''");
    has("smi: \"\" is no GPU of v100x4;");
}

static void a_field_that_is_not_there(void **state)
{
    (void)state;
    says("v100x4", "--query-gpu=index,memory.fre --format=csv", 2,
         "Field \"memory.fre\" is not a valid field to query.\n\n"
         "smi: of nvidia-smi's fields it knows\n"
         "    index name uuid pci.bus_id memory.total memory.used\n"
         "    memory.free utilization.gpu temperature.gpu driver_version "
         "count\n");
    smi("v100x4", "--query-gpu= --format=csv");
    has("Field \"\" is not a valid field to query.\n");
    assert_int_equal(status, 2);
}

static void half_a_query_is_refused(void **state)
{
    (void)state;
    smi("v100x4", "--query-gpu=index");
    has("smi: \"--query-gpu without --format=csv\" is not one of its options;");
    assert_int_equal(status, 2);
    smi("v100x4", "--format=csv");
    has("smi: \"--format without --query-gpu\" is not one of its options;");
    smi("v100x4", "--query-gpu=index --format=noheader");
    has("smi: \"--format=noheader\" is not one of its options;");
    smi("v100x4", "--query-gpu=index --format=csv,bold");
    has("smi: \"--format=csv,bold\" is not one of its options;");
    smi("v100x4", "-i");
    has("smi: \"-i\" is not one of its options;");
    assert_int_equal(status, 2);
}

static void help_lists_the_fields(void **state)
{
    (void)state;
    smi("v100x8", "--help");
    assert_int_equal(status, 0);
    has("smi --query-gpu=index,name,memory.free --format=csv\n");
    has("    index name uuid pci.bus_id memory.total memory.used\n");
    has("-i 0,2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_a_gpu),
        cmocka_unit_test(header_and_units_may_go),
        cmocka_unit_test(other_names_of_a_field),
        cmocka_unit_test(memory_agrees_with_the_long_report),
        cmocka_unit_test(what_a_card_cannot_say_stands_in_brackets),
        cmocka_unit_test(some_of_the_gpus),
        cmocka_unit_test(a_gpu_that_is_not_there),
        cmocka_unit_test(a_field_that_is_not_there),
        cmocka_unit_test(half_a_query_is_refused),
        cmocka_unit_test(help_lists_the_fields),
    };
    return cmocka_run_group_tests_name("smi query", tests, NULL, NULL);
}
