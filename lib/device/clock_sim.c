/* The clock of a simulated machine: it advances by what work would cost. */
#include "device/clock.h" // defines: clock_now_ns, clock_charge_host
#include <cudasim.h>

int64_t clock_now_ns(void)
{
    return (int64_t)cudasimNow();
}

void clock_charge_host(double flops, double bytes)
{
    cudasimChargeHost(flops, bytes);
}

const char *clock_word(void)
{
    return "simulated";
}
