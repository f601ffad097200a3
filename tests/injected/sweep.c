/* Every piece of work with its n-th allocation, launch, copy or other call
 * failing, for n = 1 and on until it succeeds.
 *
 *     sweep [--step K] [--first N] [SCENARIO [KIND [N]]]
 *
 * Each n is tried in a process of its own. After the failure: no crash, the
 * right sentence, nothing held that is not held after work that never failed,
 * and the same work, tried again, gives the right numbers. --step K tries each
 * K-th n only; SCENARIO KIND N tries one, and shows what it says. */
#include "base/alloc.h"    // defines: mem_live_count
#include "device/device.h" // defines: cuda_current_device, cuda_synchronize
#include "kinds.h"         // defines: Kind, kind_arm
#include "scenarios.h"     // defines: Scenario
#include "tensor/scope.h"  // defines: scope_open, tensor_live_count

#include <cudasim.h> // defines: cudasimGetHeld
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N_GPUS = 4, MOST_N = 5000, CHILD_SECONDS = 60 };
/* How a child ends. */
enum { FINE = 0, WRONG = 1, NEVER_CAME = 2 };

/* What is held, in numbers. */
typedef struct Facts {
    int64_t n_tensors, n_blocks;
    CudasimHeld held;
    uint64_t used_bytes[N_GPUS];
} Facts;

/* What three undisturbed runs leave behind. */
typedef struct Reference {
    Facts facts;
    char result[RESULT_BYTES];
} Reference;

static int wrong(const char *what, const char *detail)
{
    fprintf(stderr, "%s: %s\n", what, detail);
    return WRONG;
}

static Facts facts_now(void)
{
    // What is freed in a stream's order goes when the stream has come there.
    for (int i = 0; i < N_GPUS; i++)
        cuda_synchronize(i);
    Facts facts = {.n_tensors = tensor_live_count(),
                   .n_blocks = mem_live_count()};
    cudasimGetHeld(&facts.held);
    for (int i = 0; i < N_GPUS; i++) {
        CudasimDeviceCounters counters;
        if (cudasimGetDeviceCounters(i, &counters) == cudaSuccess)
            facts.used_bytes[i] = counters.used_bytes;
    }
    return facts;
}

static void print_facts(const char *which, const Facts *f)
{
    fprintf(stderr,
            "%s: %lld tensors, %lld blocks, %lld device and %lld host "
            "allocations, %lld streams, %lld events, %lld handles, %llu bytes "
            "on GPU 1\n",
            which, (long long)f->n_tensors, (long long)f->n_blocks,
            (long long)f->held.n_device, (long long)f->held.n_host,
            (long long)f->held.n_streams, (long long)f->held.n_events,
            (long long)f->held.n_handles, (unsigned long long)f->used_bytes[1]);
}

/* The work in a scope of its own. */
static bool run(const Scenario *scenario, char *result)
{
    result[0] = '\0';
    if (scope_open() != OK)
        return false;
    bool done = scenario->work(result);
    scope_close();
    return done;
}

/* In a child: three undisturbed runs, into memory that the parent sees. */
static int refer(const Scenario *scenario, Reference *out)
{
    for (int i = 0; i < 3; i++)
        if (!run(scenario, out->result))
            return wrong("undisturbed", status_sentence());
    out->facts = facts_now();
    return FINE;
}

/* The sentence of the failure, read. */
static int check_told(const Kind *kind)
{
    const char *said = status_sentence();
    Status status = status_take();
    if (!kind->sentence)
        return wrong("should have gone on, but failed", said);
    if (status != kind->status || !strstr(said, kind->sentence))
        return wrong("another sentence", said);
    return FINE;
}

/* The work fails, and leaves nothing; then it succeeds. */
static int try_one(const Scenario *scenario, const Kind *kind, long n,
                   const Reference *reference)
{
    char result[RESULT_BYTES];
    kind_arm(kind, n);
    bool worked = run(scenario, result);
    if (kind->how == FAULT)
        for (int i = 0; i < N_GPUS && worked; i++)
            worked = cuda_synchronize(i) == OK;
    bool came = kind_disarm(kind);
    if (worked && !came)
        return status_peek() == OK ? NEVER_CAME : wrong("left", "a failure");
    if (worked && !kind->may_pass)
        return wrong("swallowed", "the work says it succeeded");
    if (!worked && check_told(kind) != FINE)
        return WRONG;
    if (worked && strcmp(result, reference->result) != 0)
        return wrong("other numbers", result);
    if (tensor_live_count() != 0)
        return wrong("left", "tensors");
    if (kind->how == FAULT)
        return FINE; // that GPU is lost to this process
    for (int i = 0; i < 3; i++) {
        if (cuda_set_device(0) != OK || !run(scenario, result))
            return wrong("tried again", status_sentence());
        if (strcmp(result, reference->result) != 0)
            return wrong("other numbers when tried again", result);
    }
    Facts facts = facts_now();
    if (kind->may_leave || memcmp(&facts, &reference->facts, sizeof facts) == 0)
        return FINE;
    print_facts("held", &facts);
    print_facts("should be", &reference->facts);
    return WRONG;
}

/* In a process of its own; how it ended, or -1 and by which signal. */
static int in_child(const Scenario *scenario, const Kind *kind, long n,
                    Reference *reference)
{
    int ends[2];
    fflush(NULL);
    if (pipe(ends) != 0)
        return WRONG;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        alarm(CHILD_SECONDS); // what hangs has failed
        int code = WRONG;
        if (kind)
            code = try_one(scenario, kind, n, reference);
        else if ((code = refer(scenario, reference)) == FINE &&
                 write(ends[1], reference, sizeof *reference) < 0)
            code = WRONG;
        exit(code); // a sanitizer looks for leaks there
    }
    close(ends[1]);
    size_t got = 0;
    ssize_t more = 1;
    while (!kind && got < sizeof *reference && more > 0) {
        more = read(ends[0], (char *)reference + got, sizeof *reference - got);
        got += more > 0 ? (size_t)more : 0;
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    fprintf(stderr, "ended by signal %d\n", WTERMSIG(status));
    return WRONG;
}

typedef struct Choice {
    long step, first, only; // only: one n, 0 for all
    const char *scenario, *kind;
} Choice;

static long n_tried, n_wrong;

/* All n of one kind. */
static void sweep(const Scenario *scenario, const Kind *kind,
                  Reference *reference, const Choice *choice)
{
    long n = choice->only ? choice->only : choice->first;
    for (; n < MOST_N; n += choice->step) {
        int code = in_child(scenario, kind, n, reference);
        if (code == NEVER_CAME)
            return;
        n_tried++;
        if (code != FINE) {
            n_wrong++;
            printf("WRONG: %s, %s %ld (exit %d)\n", scenario->name, kind->name,
                   n, code);
        }
        if (choice->only)
            return;
    }
    n_wrong++;
    printf("WRONG: %s, %s: no end\n", scenario->name, kind->name);
}

static int sweep_all(const Choice *choice)
{
    static Reference reference;
    for (int s = 0; s < n_scenarios; s++) {
        const Scenario *scenario = &scenarios[s];
        if (choice->scenario && strcmp(choice->scenario, scenario->name) != 0)
            continue;
        if (in_child(scenario, NULL, 0, &reference) != FINE) {
            printf("WRONG: %s fails undisturbed\n", scenario->name);
            n_wrong++;
            continue;
        }
        for (int k = 0; k < n_kinds; k++)
            if (!choice->kind || strcmp(choice->kind, kinds[k].name) == 0)
                sweep(scenario, &kinds[k], &reference, choice);
    }
    printf("%ld failures injected, %ld wrong\n", n_tried, n_wrong);
    return n_tried > 0 && n_wrong == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
    Choice choice = {.step = 1, .first = 1};
    int i = 1;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        if (strcmp(argv[i], "--step") == 0)
            choice.step = atol(argv[i + 1]);
        else if (strcmp(argv[i], "--first") == 0)
            choice.first = atol(argv[i + 1]);
    }
    choice.scenario = i < argc ? argv[i] : NULL;
    choice.kind = i + 1 < argc ? argv[i + 1] : NULL;
    choice.only = i + 2 < argc ? atol(argv[i + 2]) : 0;
    if (choice.step < 1 || choice.first < 1 || choice.only < 0) {
        fprintf(stderr, "numbers from 1 on, please\n");
        return 2;
    }
    return sweep_all(&choice);
}
