#include <stdint.h>

int64_t moves_until_it_pays(int64_t plain_ns, int64_t pinned_ns, int64_t pin_ns)
{
    int64_t saved_ns =
        plain_ns > pinned_ns ? plain_ns - pinned_ns : pinned_ns - plain_ns + 1;
    return pin_ns / saved_ns + 1;
}
