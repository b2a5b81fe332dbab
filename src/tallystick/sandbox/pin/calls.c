/* What happens at a stopped system call: the launcher answers it, changes what it asks, or waits for the kernel's answer. */
#define _GNU_SOURCE
#include "pin.h"

#include <errno.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/utsname.h>

#define MOST_RANDOM 33554431UL /* of one call, see getrandom(2) */
#define BELOW_STACK 512        /* further down than the 128 bytes that code of x86-64 may use without asking */

/* Answer a call with something that the program wants written at `address` (0: nowhere).
 *
 * A bad address is told as the kernel tells it. Memory that is closed to us (a program that asked not to be looked at) is
 * none: the kernel then answers the call itself. */
static void answer(pid_t tid, struct user_regs_struct *registers, unsigned long address, const void *from, size_t size, long result)
{
    if (address && !memory_write(tid, address, from, size)) {
        if (errno != EFAULT)
            return;
        result = -EFAULT;
    }
    registers_answer(tid, registers, result);
}

static void answer_clock(pid_t tid, struct user_regs_struct *registers)
{
    struct timespec now;
    clock_now(&now);
    unsigned long address = registers_argument(registers, 1);
    if (address)
        answer(tid, registers, address, &now, sizeof now, 0);
    else
        registers_answer(tid, registers, -EFAULT);
}

/* The kernel's time zone, which nobody uses any more, is UTC. */
static void answer_gettimeofday(pid_t tid, struct user_regs_struct *registers)
{
    struct timespec now;
    clock_now(&now);
    struct timeval told = {.tv_sec = now.tv_sec};
    struct timezone zone = {0};
    unsigned long place = registers_argument(registers, 1);
    if (place && !memory_write(tid, place, &zone, sizeof zone))
        return;
    answer(tid, registers, registers_argument(registers, 0), &told, sizeof told, 0);
}

#ifdef SYS_time
static void answer_time(pid_t tid, struct user_regs_struct *registers)
{
    struct timespec now;
    clock_now(&now);
    answer(tid, registers, registers_argument(registers, 0), &now.tv_sec, sizeof now.tv_sec, now.tv_sec);
}
#endif

static void answer_uname(pid_t tid, struct user_regs_struct *registers)
{
    struct utsname names;
    if (uname(&names) != 0)
        return;
    /* strncpy fills with zeros: what the kernel had there is gone to the last byte. */
    strncpy(names.release, KERNEL_RELEASE, sizeof names.release);
    strncpy(names.version, KERNEL_VERSION, sizeof names.version);
    answer(tid, registers, registers_argument(registers, 0), &names, sizeof names, 0);
}

static void answer_getrandom(pid_t tid, struct user_regs_struct *registers, struct stream *stream)
{
    unsigned long address = registers_argument(registers, 0), wanted = registers_argument(registers, 1), done = 0;
    if (registers_argument(registers, 2) & ~7UL)
        return; /* flags that are not there: the kernel knows the error */
    if (wanted > MOST_RANDOM)
        wanted = MOST_RANDOM;
    while (done < wanted) {
        unsigned char bytes[4096];
        size_t part = wanted - done < sizeof bytes ? wanted - done : sizeof bytes;
        stream_draw(stream, bytes, part);
        if (!memory_write(tid, address + done, bytes, part)) {
            if (done == 0 && errno == EFAULT)
                registers_answer(tid, registers, -EFAULT);
            if (done == 0)
                return;
            break;
        }
        done += part;
    }
    registers_answer(tid, registers, (long)done);
}

/* A wait until an instant of the turn clock: the kernel gets the same distance from its own.
 *
 * The deadline is the program's and may be read by others, so a changed copy is put below the stack, and the argument is put
 * back afterwards: programs count on registers that survive a call. */
static bool move_deadline(pid_t tid, struct task *task, struct user_regs_struct *registers, int which)
{
    struct timespec deadline;
    unsigned long address = registers_argument(registers, which);
    unsigned long copy = (registers_stack(registers) - BELOW_STACK) & ~15UL;
    if (!memory_read(tid, address, &deadline, sizeof deadline) || deadline.tv_nsec < 0 || deadline.tv_nsec >= 1000000000)
        return false; /* the kernel knows the error */
    clock_to_real(&deadline);
    if (!memory_write(tid, copy, &deadline, sizeof deadline) || !registers_argument_set(tid, registers, which, copy))
        return false;
    task->afterwards = RESTORE_ARGUMENT;
    task->argument = which;
    task->value = address;
    return true;
}

/* A call of stat(2) by name, with `base` for names that do not begin at the root; an empty name means `base` itself. */
static bool young_name(pid_t tid, int base, unsigned long name)
{
    char first = '\0';
    if (!memory_read(tid, name, &first, sizeof first))
        return base >= 0; /* since Linux 6.11 no name at all means `base` too */
    if (first == '\0')
        return !readonly_descriptor(tid, base);
    return first != '/' || !readonly_name(tid, name);
}

static bool look_afterwards(struct task *task, enum afterwards what, unsigned long address)
{
    task->afterwards = what;
    task->value = address;
    return true;
}

bool call_enter(pid_t tid, struct task *task)
{
    struct user_regs_struct registers;
    task->afterwards = NOTHING;
    if (!registers_read(tid, &registers))
        return false;
    switch (registers_call(&registers)) {
    case SYS_clock_gettime: answer_clock(tid, &registers); return false;
    case SYS_gettimeofday: answer_gettimeofday(tid, &registers); return false;
    case SYS_uname: answer_uname(tid, &registers); return false;
    case SYS_getrandom: answer_getrandom(tid, &registers, &task->stream); return false;
    case SYS_futex: return move_deadline(tid, task, &registers, 3);
    case SYS_clock_nanosleep: return move_deadline(tid, task, &registers, 2);
    case SYS_fstat:
        return !readonly_descriptor(tid, (int)registers_argument(&registers, 0)) &&
               look_afterwards(task, MAP_STAT, registers_argument(&registers, 1));
    case SYS_newfstatat:
        return young_name(tid, (int)registers_argument(&registers, 0), registers_argument(&registers, 1)) &&
               look_afterwards(task, MAP_STAT, registers_argument(&registers, 2));
    case SYS_statx:
        return young_name(tid, (int)registers_argument(&registers, 0), registers_argument(&registers, 1)) &&
               look_afterwards(task, MAP_STATX, registers_argument(&registers, 4));
#ifdef __x86_64__
    case SYS_time: answer_time(tid, &registers); return false;
    case SYS_stat:
    case SYS_lstat:
        return young_name(tid, -1, registers_argument(&registers, 0)) &&
               look_afterwards(task, MAP_STAT, registers_argument(&registers, 1));
#endif
    default: return false; /* stopped by a filter of the program's own */
    }
}

void call_leave(pid_t tid, struct task *task)
{
    struct user_regs_struct registers;
    enum afterwards what = task->afterwards;
    task->afterwards = NOTHING;
    if (what == NOTHING || !registers_read(tid, &registers))
        return;
    if (what == RESTORE_ARGUMENT)
        registers_argument_set(tid, &registers, task->argument, task->value);
    else if (registers_result(&registers) == 0 && what == MAP_STAT)
        stat_map(tid, task->value);
    else if (registers_result(&registers) == 0)
        statx_map(tid, task->value);
}
