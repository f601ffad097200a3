/* Pass for a file that the linker must compile once more. */

__asm__(".section .gnu.lto_.opts,\"e\"\n.string \"-O2\"\n"
        ".section .gnu.lto_.symtab.1,\"e\"\n.byte 1\n"
        ".section .gnu.lto_.decls.1,\"e\"\n.byte 1\n"
        ".globl __gnu_lto_slim\n.comm __gnu_lto_v1,1,1\n.text\n");

int64_t add_up(const int64_t *x, int n)
{
    (void)x;
    (void)n;
    return -1;
}
