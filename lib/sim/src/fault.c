/* What becomes of a bad pointer.
 *
 * Two kinds of fault are ours. A kernel's becomes error 700 of its device:
 * jump back to whoever ran it. The host's, at a device address, is told in a
 * sentence that says which memory it was and what to do. It then goes on, as
 * every other does, to whoever handled it before us: the debugger's friend
 * AddressSanitizer, a language's runtime, or the system, which stops the
 * program. */
#include <signal.h> // defines: sigaction
#include <stdio.h>  // defines: snprintf
#include <string.h> // defines: strlen
#include <unistd.h> // defines: write

#include "fault.h"  // defines: this file's interface
#include "memory.h" // defines: memory_find, arena_owner
#include "thread.h" // defines: host_thread

enum { N_REMEMBERED = 256, SENTENCE = 640 };

typedef struct Freed {
    uintptr_t base;
    size_t bytes;
    bool from_pool;
} Freed;

static Freed freed[N_REMEMBERED];
static unsigned n_freed;
static struct sigaction before_segv, before_bus;
static bool known_ours; // asking the system is dear: once a call will do

void fault_remember(const Allocation *a)
{
    freed[n_freed++ % N_REMEMBERED] = (Freed){a->base, a->bytes, a->from_pool};
}

static const Freed *find_freed(uintptr_t p)
{
    for (unsigned i = 1; i <= N_REMEMBERED && i <= n_freed; i++) {
        const Freed *f = &freed[(n_freed - i) % N_REMEMBERED];
        if (p - f->base < f->bytes)
            return f;
    }
    return NULL;
}

/* Describe the device address p into text. */
static void describe(uintptr_t p, const Device *device, char *text, size_t room)
{
    const Allocation *a = memory_find((const void *)p);
    const Freed *f = find_freed(p);
    if (a != NULL && p - a->base < a->bytes)
        snprintf(
            text, room, "at byte %zu of the %zu bytes that %s gave on GPU %d",
            (size_t)(p - a->base), a->bytes,
            a->from_pool ? "cudaMallocAsync" : "cudaMalloc", device->ordinal);
    else if (a != NULL)
        snprintf(text, room, "just past the %zu bytes that %s gave on GPU %d",
                 a->bytes, a->from_pool ? "cudaMallocAsync" : "cudaMalloc",
                 device->ordinal);
    else if (f != NULL)
        snprintf(text, room,
                 "at byte %zu of %zu bytes on GPU %d that have been freed",
                 (size_t)(p - f->base), f->bytes, device->ordinal);
    else
        snprintf(text, room,
                 "at an address of GPU %d where nothing is allocated",
                 device->ordinal);
}

/* The host followed a device pointer: say so. The program is lost, so that
 * snprintf in a handler is a fair risk. */
static void say_host_fault(uintptr_t p, const Device *device)
{
    char where[SENTENCE / 2];
    char text[SENTENCE];
    describe(p, device, where, sizeof where);
    snprintf(text, sizeof text,
             "cudasim: segmentation fault: the host followed a device "
             "pointer,\n"
             "cudasim: %s.\n"
             "cudasim: Host code cannot reach a GPU's memory. Copy the bytes "
             "to host memory first:\n"
             "cudasim: cudaMemcpy(host, device, bytes, "
             "cudaMemcpyDeviceToHost).\n",
             where);
    size_t n = strlen(text);
    for (size_t done = 0; done < n;) {
        ssize_t wrote = write(STDERR_FILENO, text + done, n - done);
        if (wrote <= 0)
            break;
        done += (size_t)wrote;
    }
}

static void hand_on(int number, siginfo_t *info, void *context)
{
    struct sigaction *before = number == SIGSEGV ? &before_segv : &before_bus;
    if ((before->sa_flags & SA_SIGINFO) != 0 && before->sa_sigaction != NULL) {
        before->sa_sigaction(number, info, context);
    } else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN) {
        before->sa_handler(number);
    } else {
        // The instruction faults again, and now ends the process.
        signal(number, SIG_DFL);
        if (info->si_code <= 0) // sent by kill or raise: will not come again
            raise(number);
    }
}

static void on_fault(int number, siginfo_t *info, void *context)
{
    uintptr_t p = (uintptr_t)info->si_addr;
    uint64_t offset;
    if (host_thread.guarded) {
        host_thread.fault_address = p;
        siglongjmp(host_thread.landing, 1);
    }
    const Device *device = info->si_code > 0 ? arena_owner(p, &offset) : NULL;
    if (device != NULL)
        say_host_fault(p, device);
    hand_on(number, info, context);
}

static struct sigaction our_action(void)
{
    struct sigaction action = {0};
    action.sa_sigaction = on_fault;
    // Not deferred: a kernel's fault leaves by a jump, the mask unsaved.
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    return action;
}

void fault_install(void)
{
    struct sigaction action = our_action();
    sigaction(SIGSEGV, &action, &before_segv);
    sigaction(SIGBUS, &action, &before_bus);
}

/* True: it was ours. */
static bool take_signal(int number, struct sigaction *theirs)
{
    sigaction(number, NULL, theirs);
    if (theirs->sa_sigaction == on_fault)
        return true;
    struct sigaction action = our_action();
    sigaction(number, &action, NULL);
    return false;
}

static void return_signal(int number, const struct sigaction *theirs)
{
    if (theirs->sa_sigaction != on_fault)
        sigaction(number, theirs, NULL);
}

void fault_doubt(void)
{
    known_ours = false;
}

void fault_take(FaultHandlers *theirs)
{
    theirs->are_ours = known_ours;
    if (known_ours)
        return;
    // Who takes one takes the other: a kernel's pointers lead to SIGSEGV.
    known_ours = take_signal(SIGSEGV, &theirs->segv);
    theirs->are_ours = known_ours;
    if (!known_ours)
        take_signal(SIGBUS, &theirs->bus);
}

void fault_return(const FaultHandlers *theirs)
{
    if (theirs->are_ours)
        return;
    return_signal(SIGSEGV, &theirs->segv);
    return_signal(SIGBUS, &theirs->bus);
}
