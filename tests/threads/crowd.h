/* Several host threads that begin together, and checks that name their line. */
#ifndef TESTS_THREADS_CROWD_H
#define TESTS_THREADS_CROWD_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_THREADS = 8 };

#define MUST(condition)                                                        \
    do {                                                                       \
        if (!(condition)) {                                                    \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__,         \
                    #condition);                                               \
            abort();                                                           \
        }                                                                      \
    } while (0)

/* Where all threads of the crowd meet. */
static pthread_barrier_t meeting;

static inline void meet(void)
{
    pthread_barrier_wait(&meeting);
}

typedef struct Member {
    void (*work)(int me);
    int me;
    pthread_t thread;
} Member;

static inline void *member_begins(void *of)
{
    Member *member = of;
    member->work(member->me);
    return NULL;
}

/* work(0) … work(N_THREADS - 1), each in a thread of its own. */
static inline void crowd(void (*work)(int me))
{
    Member members[N_THREADS];
    MUST(pthread_barrier_init(&meeting, NULL, N_THREADS) == 0);
    for (int i = 0; i < N_THREADS; i++) {
        Member *member = &members[i];
        *member = (Member){.work = work, .me = i};
        MUST(pthread_create(&member->thread, NULL, member_begins, member) == 0);
    }
    for (int i = 0; i < N_THREADS; i++)
        MUST(pthread_join(members[i].thread, NULL) == 0);
    pthread_barrier_destroy(&meeting);
}

#endif
