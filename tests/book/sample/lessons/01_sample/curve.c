/* Prints a table. */
int main(void)
{
    // expect: bytes        copy  arithmetic
    // expect: 1024         3 us  0.1 us
    // expect: 32768        6 us  3.3 us
    // expect: 1048576     88 us  105 us
    // expect: 33554432  2.7 ms  3.4 ms
    // expect: all times are simulated
    return 0;
}
