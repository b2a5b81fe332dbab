/* The main loop: every thread of the program and of all it starts stops here, and goes on at once. See ptrace(2). */
#define _GNU_SOURCE
#include "pin.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

/* A thread that is gone meanwhile needs no word: its end is reported next. */
static void resume(enum __ptrace_request how, pid_t tid, int signal)
{
    ptrace(how, tid, NULL, (void *)(long)signal);
}

static int waiting; /* how many threads are held and alive */

static void hold(pid_t tid)
{
    task_add(tid)->held = true;
    waiting++;
}

static void let_go(pid_t tid)
{
    task_find(tid)->held = false;
    waiting--;
    resume(PTRACE_CONT, tid, 0);
}

/* Two reports tell of a birth, in any order: the starter's, with the number of the newborn, and the newborn's own first stop.
 * The newborn waits until both are here, because its random numbers depend on whose child it is. */
static void birth(struct task *parent, pid_t newborn)
{
    struct task *child = task_find(newborn);
    bool early = child && child->held;
    if (!early)
        child = task_add(newborn);
    stream_birth(&parent->stream, &child->stream);
    if (early && child->ended)
        task_forget(newborn);
    else if (early)
        let_go(newborn);
}

/* The process that `tid` belongs to, or with "PPid:" the one that started it; 0 when it is gone. */
static pid_t status_number(pid_t tid, const char *name)
{
    char path[64], line[256];
    int found = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)tid);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    while (!found && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0)
            sscanf(line + strlen(name), "%d", &found);
    fclose(file);
    return found;
}

/* A starter that was killed, or replaced by execve of another of its threads, never tells of its last child process (a thread
 * dies with it). When `ended` has ended so, its children are let go: with numbers that may differ from run to run. */
static void let_strays_go(pid_t ended)
{
    if (waiting == 0)
        return;
    for (pid_t tid = task_next_held(0); tid; tid = task_next_held(tid)) {
        pid_t parent = status_number(tid, "PPid:");
        if (status_number(tid, "Tgid:") != tid || (parent != ended && task_find(parent)))
            continue;
        stream_stray(&task_find(tid)->stream);
        let_go(tid);
    }
}

static void thread_ended(pid_t tid)
{
    struct task *task = task_find(tid);
    if (task && !task->held) {
        task_forget(tid);
    } else { /* its birth is still to be told */
        if (!task)
            hold(tid);
        task_find(tid)->ended = true;
        waiting--;
    }
    let_strays_go(tid);
}

/* After execve a process has one thread, with the number of the process, whichever thread asked for it. */
static void new_program(pid_t tid, struct task *task)
{
    unsigned long former = 0;
    if (ptrace(PTRACE_GETEVENTMSG, tid, NULL, &former) == 0 && (pid_t)former != tid) {
        struct task *caller = task_find((pid_t)former);
        if (caller)
            task->stream = caller->stream;
        task_forget((pid_t)former);
    }
    task->afterwards = NOTHING;
    image_prepare(tid, &task->stream);
    let_strays_go(tid);
}

static bool stops(int signal)
{
    return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

static void stopped(pid_t tid, int event, int signal)
{
    struct task *task = task_find(tid);
    if (!task || task->ended) {
        hold(tid);
        return;
    }
    if (task->held)
        return;
    unsigned long newborn = 0;
    switch (event) {
    case 0: /* a signal on its way to the program, or the end of a call that we wait for */
        if (signal == (SIGTRAP | 0x80))
            call_leave(tid, task), signal = 0;
        resume(PTRACE_CONT, tid, signal);
        return;
    case PTRACE_EVENT_SECCOMP: resume(call_enter(tid, task) ? PTRACE_SYSCALL : PTRACE_CONT, tid, 0); return;
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
    case PTRACE_EVENT_CLONE:
        if (ptrace(PTRACE_GETEVENTMSG, tid, NULL, &newborn) == 0)
            birth(task, (pid_t)newborn);
        break;
    case PTRACE_EVENT_EXEC: new_program(tid, task); break;
    case PTRACE_EVENT_STOP:
        if (stops(signal)) { /* stopped like by Ctrl-Z: stays so until SIGCONT */
            resume(PTRACE_LISTEN, tid, 0);
            return;
        }
        break;
    default: break;
    }
    resume(PTRACE_CONT, tid, 0);
}

/* Stay with everything until the first process has ended; returns its wait status. */
int trace_until_end(pid_t first)
{
    for (;;) {
        int status;
        pid_t tid = waitpid(-1, &status, __WALL);
        if (tid < 0 && errno != EINTR)
            give_up("waiting for the program");
        if (tid < 0)
            continue;
        if (WIFSTOPPED(status))
            stopped(tid, (int)((unsigned int)status >> 16), WSTOPSIG(status));
        else if (tid == first)
            return status;
        else
            thread_ended(tid);
    }
}
