/* A handler for the signals that end a program, on a stack of its own.
 *
 * What it may call is little: the program's heap, its stack and its locks are
 * as the fault left them. So the modules are listed beforehand, text is put
 * together by hand, and backtrace() is called once before, since its first
 * call loads a library. Should the walk itself fault, it is left by a jump.
 * Source: POSIX, sigaction, sigaltstack; backtrace(3); dl_iterate_phdr(3).
 */
#define _GNU_SOURCE // dl_iterate_phdr, REG_RIP

#include "lesson/crash.h"

#if defined(__linux__) && __has_include(<execinfo.h>)

#include "base/status.h" // defines: status_peek, status_sentence
#include <errno.h>
#include <execinfo.h> // defines: backtrace
#include <link.h>     // defines: dl_iterate_phdr
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h> // defines: getrlimit
#include <time.h>         // defines: timer_create
#include <ucontext.h>     // defines: ucontext_t
#include <unistd.h>

// A probe's program may do without the library.
#pragma weak status_peek
#pragma weak status_sentence
#pragma weak status_type
// Before glibc 2.34 it is in a library of its own.
#pragma weak timer_create
#pragma weak timer_settime

enum { MOST_MODULES = 32, MOST_FRAMES = 48, OUR_STACK = 128 << 10 };
enum { NEAR = 64 << 10, WRITES = 2 }; // bit 1 of x86's page fault error code

typedef struct Module {
    const char *name;
    uintptr_t bias, low, high;
} Module;

typedef struct Registers {
    uintptr_t pc, sp, fp, link;
    bool writes;
} Registers;

typedef struct Text {
    char bytes[512];
    size_t n;
} Text;

static Module modules[MOST_MODULES];
static int n_modules;
static int out = -1;
static uintptr_t stack_low, stack_high;
static char our_stack[OUR_STACK];
static sigjmp_buf way_out;
static volatile sig_atomic_t busy;

static void add(Text *text, const char *words)
{
    while (*words && text->n < sizeof text->bytes)
        text->bytes[text->n++] = *words++;
}

static void add_number(Text *text, uintptr_t number, unsigned base)
{
    char digits[24];
    int at = (int)sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = "0123456789abcdef"[number % base];
    while ((number /= base) != 0);
    add(text, digits + at);
}

static void send(Text *text)
{
    add(text, "\n");
    text->bytes[sizeof text->bytes - 1] = '\n'; // should it have been cut
    for (size_t done = 0; done < text->n;) {
        ssize_t n = write(out, text->bytes + done, text->n - done);
        if (n <= 0)
            return;
        done += (size_t)n;
    }
}

static const Module *module_of(uintptr_t p)
{
    for (int i = 0; i < n_modules; i++)
        if (p >= modules[i].low && p < modules[i].high)
            return &modules[i];
    return NULL;
}

static Registers registers_of(const ucontext_t *context)
{
    Registers found = {0};
#if defined(__x86_64__)
    const greg_t *all = context->uc_mcontext.gregs;
    found.pc = (uintptr_t)all[REG_RIP];
    found.sp = (uintptr_t)all[REG_RSP];
    found.fp = (uintptr_t)all[REG_RBP];
    found.writes = (all[REG_ERR] & WRITES) != 0;
#elif defined(__aarch64__)
    found.pc = context->uc_mcontext.pc;
    found.sp = context->uc_mcontext.sp;
    found.fp = context->uc_mcontext.regs[29];
    found.link = context->uc_mcontext.regs[30];
#else
    (void)context;
#endif
    return found;
}

/* The bytes between the stack's lowest possible one and what was touched are
 * out of reach; a pointer astray elsewhere finds the stack's end far away. */
static bool stack_is_full(uintptr_t address, uintptr_t sp)
{
    return address < stack_low + NEAR && address + NEAR >= sp &&
           sp < stack_high && stack_low > 0;
}

static void send_signal(int number, const siginfo_t *info,
                        const Registers *registers)
{
    bool fault = (number == SIGSEGV || number == SIGBUS) && info->si_code > 0;
    uintptr_t address = fault ? (uintptr_t)info->si_addr : 0;
    const Module *home = fault ? module_of(address) : NULL;
    Text text = {.n = 0};
    add(&text, "signal ");
    add_number(&text, (uintptr_t)number, 10);
    add(&text, " code ");
    add_number(&text, (unsigned)info->si_code, 16);
    add(&text, " address ");
    add_number(&text, address, 16);
    add(&text, " home ");
    add(&text, home ? home->name : "-");
    add(&text, fault && registers->writes ? " write 1" : " write 0");
    bool full = fault && stack_is_full(address, registers->sp);
    add(&text, full ? " stack 1" : " stack 0");
    send(&text);
}

static void send_failure(void)
{
    if (!status_peek || !status_sentence || !status_type || !status_peek())
        return;
    Text text = {.n = 0};
    add(&text, "failure ");
    add(&text, status_type(status_peek()));
    add(&text, ": ");
    add(&text, status_sentence());
    for (size_t i = 0; i < text.n; i++)
        if (text.bytes[i] == '\n')
            text.bytes[i] = ' ';
    send(&text);
}

static void send_frame(uintptr_t pc)
{
    const Module *module = module_of(pc);
    Text text = {.n = 0};
    add(&text, "frame ");
    add(&text, module ? module->name : "-");
    add(&text, " ");
    add_number(&text, module ? pc - module->bias : pc, 16);
    send(&text);
}

/* Where there are no tables to walk by: a call to no function has left its
 * return address; from there on, the frame pointers of the student's file,
 * which is compiled with them. */
static void send_chain(const Registers *registers)
{
    send_frame(registers->pc);
    if (!module_of(registers->pc) && registers->link)
        send_frame(registers->link);
    else if (!module_of(registers->pc))
        send_frame(*(const uintptr_t *)registers->sp);
    uintptr_t fp = registers->fp, last = registers->sp;
    for (int i = 0; i < MOST_FRAMES; i++) {
        if (fp < last || fp + 16 > stack_high || fp % sizeof fp != 0)
            return;
        const uintptr_t *pair = (const uintptr_t *)fp;
        if (!module_of(pair[1]))
            return;
        send_frame(pair[1]);
        last = fp + 1;
        fp = pair[0];
    }
}

/* False: the stack cannot be walked by the tables. */
static bool send_frames(const Registers *registers)
{
    void *frames[MOST_FRAMES];
    if (!module_of(registers->pc))
        return false;
    int n = backtrace(frames, MOST_FRAMES), at = 0;
    while (at < n && (uintptr_t)frames[at] != registers->pc)
        at++;
    if (at + 1 >= n)
        return false;
    for (; at < n; at++)
        send_frame((uintptr_t)frames[at]);
    return true;
}

/* Each way is left by a jump when it faults itself. */
static void send_where(const Registers *registers)
{
    volatile bool told = false;
    if (sigsetjmp(way_out, 1) == 0)
        told = send_frames(registers);
    if (!told && sigsetjmp(way_out, 1) == 0)
        send_chain(registers);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    if (busy) {
        if (number != SIGALRM)
            siglongjmp(way_out, 1);
        return;
    }
    int before = errno;
    Registers registers = registers_of(context);
    busy = 1;
    send_signal(number, info, &registers);
    if (sigsetjmp(way_out, 1) == 0)
        send_failure();
    send_where(&registers);
    busy = 0;
    errno = before;
    if (number == SIGALRM)
        return;
    signal(number, SIG_DFL);
    raise(number);
}

static int list_module(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    if (n_modules == MOST_MODULES)
        return 1;
    const char *slash = strrchr(info->dlpi_name, '/');
    Module module = {slash ? slash + 1 : info->dlpi_name, info->dlpi_addr,
                     UINTPTR_MAX, 0};
    if (!*module.name) // the loader lists the program first, without a name
        module.name = n_modules == 0 ? "." : "kernel";
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD)
            continue;
        uintptr_t low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        uintptr_t high = low + info->dlpi_phdr[i].p_memsz;
        module.low = low < module.low ? low : module.low;
        module.high = high > module.high ? high : module.high;
    }
    modules[n_modules++] = module;
    return 0;
}

static void measure_stack(void)
{
    struct rlimit limit;
    stack_high = (uintptr_t)__builtin_frame_address(0) + NEAR;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 &&
        limit.rlim_cur < stack_high - NEAR)
        stack_low = stack_high - NEAR - (uintptr_t)limit.rlim_cur;
}

/* A timer that a new program in this process does not inherit. */
static void look_after(long ms)
{
    timer_t timer;
    struct itimerspec once = {
        .it_value = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}};
    if (timer_create && timer_create(CLOCK_MONOTONIC, NULL, &timer) == 0)
        timer_settime(timer, 0, &once, NULL);
}

void probe__report_signals(int fd, long look_ms)
{
    static const int signals[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                                  SIGABRT, SIGTRAP, SIGALRM};
    void *frame;
    out = fd;
    backtrace(&frame, 1); // loads what it needs
    dl_iterate_phdr(list_module, NULL);
    measure_stack();
    sigaltstack(&(stack_t){.ss_sp = our_stack, .ss_size = sizeof our_stack},
                NULL);
    struct sigaction action = {.sa_sigaction = on_signal};
    // Not deferred: the walk's own fault must arrive.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    if (look_ms > 0)
        look_after(look_ms);
}

#else

void probe__report_signals(int fd, long look_ms)
{
    (void)fd;
    (void)look_ms;
}

#endif
