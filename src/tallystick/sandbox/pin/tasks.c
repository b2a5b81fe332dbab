/* All traced threads by their number. Numbers are below the kernel's PID_MAX_LIMIT, and pages of the table that no thread
 * reaches are never touched, so this is a plain array. */
#include "pin.h"

#include <stdlib.h>

#define MOST (4 * 1024 * 1024)

static struct task *table[MOST + 1];
static pid_t highest;

struct task *task_find(pid_t tid)
{
    return tid > 0 && tid <= MOST ? table[tid] : NULL;
}

/* A new entry, zeroed; what was there before under this number is gone. */
struct task *task_add(pid_t tid)
{
    if (tid <= 0 || tid > MOST)
        give_up("a thread's number that no kernel gives");
    task_forget(tid);
    table[tid] = calloc(1, sizeof *table[tid]);
    if (!table[tid])
        give_up("memory");
    if (tid > highest)
        highest = tid;
    return table[tid];
}

void task_forget(pid_t tid)
{
    if (tid > 0 && tid <= MOST) {
        free(table[tid]);
        table[tid] = NULL;
    }
}

/* The next held thread with a number above `after`, or 0. */
pid_t task_next_held(pid_t after)
{
    for (pid_t tid = after + 1; tid <= highest; tid++)
        if (table[tid] && table[tid]->held && !table[tid]->ended)
            return tid;
    return 0;
}
