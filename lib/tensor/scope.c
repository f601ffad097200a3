/* Who keeps a tensor alive: one stack a thread.
 *
 *   held:   a b c | d e f g | h        one row of counts; bars are where
 *   starts: 0       3         7        scopes were opened
 *
 * Outside every scope tensors are held by the thread: until it ends.
 */
#include "tensor/scope.h"  // defines: scope_open, scope_close, tensor_keep
#include "base/alloc.h"    // defines: mem_resize, mem_free
#include "tensor/object.h" // defines: struct Tensor
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Held {
    void *object;
    void (*release)(void *object);
} Held;

typedef struct Stack {
    Held *held;
    size_t n_held, held_room;
    size_t *starts;
    size_t n_scopes, starts_room;
} Stack;

static pthread_key_t stack_key;
static pthread_once_t stack_once = PTHREAD_ONCE_INIT;
static _Thread_local Stack *stack;

static void release_from(Stack *s, size_t start)
{
    while (s->n_held > start) {
        Held last = s->held[--s->n_held];
        last.release(last.object);
    }
}

/* A thread ends: what it still holds goes. */
static void drop_stack(void *memory)
{
    Stack *s = memory;
    release_from(s, 0);
    mem_free(s->held);
    mem_free(s->starts);
    mem_free(s);
    stack = NULL;
}

static void make_key(void)
{
    if (pthread_key_create(&stack_key, drop_stack) != 0)
        abort(); // a process has at least 128 keys, and we need one
}

static Status stack_ready(void)
{
    if (stack != NULL)
        return OK;
    pthread_once(&stack_once, make_key);
    stack = mem_new(sizeof *stack);
    if (stack == NULL)
        return ERR_MEMORY;
    pthread_setspecific(stack_key, stack);
    return OK;
}

/* Room for one more element, doubling. */
static Status make_room(void **block, size_t *room, size_t used, size_t size)
{
    if (used < *room)
        return OK;
    size_t more = *room == 0 ? 64 : *room * 2;
    void *larger = mem_resize(*block, more * size);
    if (larger == NULL)
        return ERR_MEMORY;
    *block = larger;
    *room = more;
    return OK;
}

Status scope_open(void)
{
    TRY(stack_ready());
    void *starts = stack->starts;
    TRY(make_room(&starts, &stack->starts_room, stack->n_scopes,
                  sizeof *stack->starts));
    stack->starts = starts;
    stack->starts[stack->n_scopes++] = stack->n_held;
    return OK;
}

void scope_close(void)
{
    if (stack == NULL || stack->n_scopes == 0) {
        fprintf(stderr, "scope_close: no scope is open on this thread: each "
                        "scope_close needs its own scope_open before it\n");
        abort();
    }
    release_from(stack, stack->starts[--stack->n_scopes]);
}

Status scope_hold(void *object, void (*release)(void *object))
{
    TRY(stack_ready());
    void *held = stack->held;
    TRY(make_room(&held, &stack->held_room, stack->n_held,
                  sizeof *stack->held));
    stack->held = held;
    stack->held[stack->n_held++] = (Held){object, release};
    return OK;
}

static void release_tensor(void *object)
{
    tensor_release(object);
}

int scope_depth(void)
{
    return stack == NULL ? 0 : (int)stack->n_scopes;
}

bool scope_holds(const void *object)
{
    for (size_t i = 0; stack != NULL && i < stack->n_held; i++)
        if (stack->held[i].object == object)
            return true;
    return false;
}

/* The bar moves: the first count of this scope changes places with the new one,
 * which then lies before the bar. */
Tensor *tensor_keep(Tensor *x)
{
    if (!CHECK_NOT_NULL(x))
        return NULL;
    if (scope_hold(x, release_tensor) != OK)
        return NULL;
    tensor_retain(x);
    if (stack->n_scopes > 0) {
        size_t *start = &stack->starts[stack->n_scopes - 1];
        Held mine = stack->held[stack->n_held - 1];
        stack->held[stack->n_held - 1] = stack->held[*start];
        stack->held[*start] = mine;
        (*start)++;
    }
    return x;
}
