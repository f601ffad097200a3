/* Every error's name and text, against what the real library returns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <cuda_runtime.h> // defines: cudaGetErrorName, cudaGetErrorString

enum { LAST = 1100 };

static void all_names_and_texts(void **state)
{
    (void)state;
    static char names[LAST][96], texts[LAST][128];
    char line[512];
    int n = 0;
    FILE *file = fopen(ERROR_STRINGS, "r");
    assert_non_null(file);
    while (fgets(line, sizeof(line), file)) {
        if (*line == '#')
            continue;
        line[strcspn(line, "\n")] = '\0';
        char *name = strchr(line, '\t');
        assert_non_null(name);
        char *text = strchr(name + 1, '\t');
        assert_non_null(text);
        *name = *text = '\0';
        int number = atoi(line);
        assert_in_range(number, 0, LAST - 1);
        snprintf(names[number], sizeof(names[0]), "%s", name + 1);
        snprintf(texts[number], sizeof(texts[0]), "%s", text + 1);
        n++;
    }
    fclose(file);
    assert_int_equal(n, 133);
    for (int i = 0; i < LAST; i++) {
        const char *unknown = "unrecognized error code";
        assert_string_equal(cudaGetErrorName((cudaError_t)i),
                            *names[i] ? names[i] : unknown);
        assert_string_equal(cudaGetErrorString((cudaError_t)i),
                            *names[i] ? texts[i] : unknown);
    }
    assert_string_equal(cudaGetErrorName((cudaError_t)-1),
                        "unrecognized error code");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_names_and_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
