/* The system call filter that says which calls stop: only those whose answers may differ, everything else runs at full
 * speed. Classic BPF of linux/filter.h over struct seccomp_data of linux/seccomp.h. Both architectures are little-endian. */
#define _GNU_SOURCE
#include "pin.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define NATIVE AUDIT_ARCH_X86_64
#else
#define NATIVE AUDIT_ARCH_AARCH64
#endif
#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW (1UL << 2)
#endif

#define NUMBER offsetof(struct seccomp_data, nr)
#define LOW(which) (offsetof(struct seccomp_data, args) + (which) * sizeof(__u64))
#define HIGH(which) (LOW(which) + sizeof(__u32))

static const int always[] = {
#ifdef __x86_64__
    SYS_time, SYS_stat, SYS_lstat,
#endif
    SYS_gettimeofday, SYS_getrandom, SYS_uname, SYS_fstat, SYS_newfstatat, SYS_statx,
};
static const int clocks[] = {CLOCK_REALTIME, CLOCK_REALTIME_COARSE, CLOCK_REALTIME_ALARM, CLOCK_TAI};

static struct sock_filter code[64];
static unsigned short length;

static void add(unsigned short what, unsigned int value, unsigned char if_true, unsigned char if_false)
{
    if (length == sizeof code / sizeof *code)
        give_up("the system call filter: it is too long");
    code[length++] = (struct sock_filter){what, if_true, if_false, value};
}

static void load(size_t where)
{
    add(BPF_LD | BPF_W | BPF_ABS, (unsigned int)where, 0, 0);
}

static void allow(void)
{
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

static void stop_if_equal(int value)
{
    add(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)value, 0, 1);
    add(BPF_RET | BPF_K, SECCOMP_RET_TRACE, 0, 0);
}

static void stop_unless_zero(void)
{
    add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
    add(BPF_RET | BPF_K, SECCOMP_RET_TRACE, 0, 0);
}

static void allow_unless_bit(unsigned int bit)
{
    add(BPF_JMP | BPF_JSET | BPF_K, bit, 1, 0);
    allow();
}

/* A block is for one call. It may load what it likes: it ends with a verdict. */
static unsigned short open_block(int number)
{
    add(BPF_JMP | BPF_JEQ | BPF_K, (unsigned int)number, 0, 0);
    return length;
}

static void close_block(unsigned short start)
{
    allow();
    code[start - 1].jf = (unsigned char)(length - start);
}

static void write_program(void)
{
    load(offsetof(struct seccomp_data, arch)); /* numbers of another table mean other calls: those are not ours */
    add(BPF_JMP | BPF_JEQ | BPF_K, NATIVE, 1, 0);
    allow();
    load(NUMBER);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        stop_if_equal(always[i]);

    unsigned short start = open_block(SYS_clock_gettime);
    load(LOW(0));
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
        stop_if_equal(clocks[i]);
    close_block(start);

    start = open_block(SYS_clock_nanosleep); /* (clock, flags, until, rest) */
    load(LOW(1));
    allow_unless_bit(TIMER_ABSTIME);
    load(LOW(0));
    stop_if_equal(CLOCK_REALTIME);
    close_block(start);

    start = open_block(SYS_futex); /* (word, operation, value, until): most waits have no deadline */
    load(LOW(1));
    allow_unless_bit(FUTEX_CLOCK_REALTIME);
    load(LOW(3));
    stop_unless_zero();
    load(HIGH(3));
    stop_unless_zero();
    close_block(start);

    allow();
}

/* For this process and all that comes from it. SPEC_ALLOW: no slower processor than without a filter. */
bool filter_install(void)
{
    write_program();
    struct sock_fprog program = {length, code};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) == 0;
}
