/* pin: starts a program so that it sees the same clock, kernel name, random numbers and addresses in every run.
 *
 * It traces the program and everything that it starts. A system call filter stops the few calls whose answers differ from
 * run to run; the launcher answers them in the kernel's place. That reaches every kind of program, static ones and such
 * without a C library too. It keeps no secrets from a program that looks for them: it is there so that honest programs
 * repeat themselves, and whoever goes around it only fails to repeat.
 *
 * Errors of a tracee (it was killed, it gave a bad address) never end the launcher: the call is then left to the kernel.
 */
#ifndef TALLY_PIN_H
#define TALLY_PIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>
#include <time.h>

#if !defined(__linux__) || !(defined(__x86_64__) || defined(__aarch64__)) || !defined(__LP64__)
#error "pin knows Linux on x86-64 and arm64"
#endif

/* What programs see. A recording holds these, so a change makes old recordings diverge. */
#define BASE_S 1700000000LL /* the clock before the first answer of a model, and the files' times at the start */
#define STEP_S 10LL         /* how far each answer moves it */
#define KERNEL_RELEASE "6.1.0-tally"
#define KERNEL_VERSION "#1 SMP"
#define SEED 0x74616c6c79ULL

#define EXIT_TROUBLE 125 /* the launcher itself failed; 126 and 127 as from a shell */

/* Births of a task: its number-th child or thread has a stream of random numbers of its own. */
struct stream {
    uint64_t seed;
    uint64_t position;
    uint64_t births;
    uint64_t execs;
};

/* What is to be done when the call that a task is in returns. */
enum afterwards { NOTHING, MAP_STAT, MAP_STATX, RESTORE_ARGUMENT };

/* A thread. */
struct task {
    struct stream stream;
    enum afterwards afterwards;
    int argument;        /* RESTORE_ARGUMENT: which one */
    unsigned long value; /* MAP_*: the address of the answer; RESTORE_ARGUMENT: what to put back */
    bool held;           /* stopped at birth: whose child it is has not been told yet */
    bool ended;          /* while it was held */
};

/* main.c */
_Noreturn void give_up(const char *what);

/* trace.c */
int trace_until_end(pid_t first);

/* tasks.c: all threads by number */
struct task *task_find(pid_t tid);
struct task *task_add(pid_t tid);
void task_forget(pid_t tid);
pid_t task_next_held(pid_t after);

/* calls.c: the stopped calls; `true`: stop again when it returns */
bool call_enter(pid_t tid, struct task *task);
void call_leave(pid_t tid, struct task *task);

/* filter.c */
bool filter_install(void);

/* clock.c */
void clock_open(int fd);
void clock_now(struct timespec *now);
bool clock_map(int64_t *seconds, uint32_t *nanoseconds);
void clock_to_real(struct timespec *deadline);

/* stat.c */
void stat_map(pid_t tid, unsigned long address);
void statx_map(pid_t tid, unsigned long address);

/* readonly.c: true where a file's times are certainly older than the attempt */
void readonly_open(void);
bool readonly_name(pid_t tid, unsigned long address);
bool readonly_descriptor(pid_t tid, int descriptor);

/* random.c */
void stream_root(struct stream *stream);
void stream_birth(struct stream *parent, struct stream *child);
void stream_stray(struct stream *child);
void stream_exec(struct stream *stream);
void stream_draw(struct stream *stream, void *into, size_t size);

/* image.c: a program that was just loaded */
void image_prepare(pid_t tid, struct stream *stream);

/* memory.c: all of it or false, with errno */
bool memory_read(pid_t tid, unsigned long address, void *into, size_t size);
bool memory_write(pid_t tid, unsigned long address, const void *from, size_t size);

/* registers_*.c: false when the task is gone or runs code of another architecture */
bool registers_read(pid_t tid, struct user_regs_struct *registers);
bool registers_answer(pid_t tid, struct user_regs_struct *registers, long result);
bool registers_argument_set(pid_t tid, struct user_regs_struct *registers, int which, unsigned long value);
long registers_call(const struct user_regs_struct *registers);
long registers_result(const struct user_regs_struct *registers);
unsigned long registers_argument(const struct user_regs_struct *registers, int which);
unsigned long registers_stack(const struct user_regs_struct *registers);

/* probe.c */
int probe(void);

#endif
