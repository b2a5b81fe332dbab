/* System calls in the registers of arm64: number in x8, arguments in x0 to x5, result in x0. */
#ifdef __aarch64__

#include "pin.h"

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#ifndef NT_ARM_SYSTEM_CALL
#define NT_ARM_SYSTEM_CALL 0x404
#endif

bool registers_read(pid_t tid, struct user_regs_struct *registers)
{
    struct iovec all = {registers, sizeof *registers};
    /* The kernel writes fewer bytes for a 32-bit program. */
    return ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &all) == 0 && all.iov_len == sizeof *registers;
}

static bool registers_write(pid_t tid, struct user_regs_struct *registers)
{
    struct iovec all = {registers, sizeof *registers};
    return ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &all) == 0;
}

/* Skip the call: here the number has a register set of its own, and x8 is only where the program had put it. */
bool registers_answer(pid_t tid, struct user_regs_struct *registers, long result)
{
    int none = -1;
    struct iovec number = {&none, sizeof none};
    if (ptrace(PTRACE_SETREGSET, tid, NT_ARM_SYSTEM_CALL, &number) != 0)
        return false;
    registers->regs[0] = (unsigned long long)result;
    return registers_write(tid, registers);
}

bool registers_argument_set(pid_t tid, struct user_regs_struct *registers, int which, unsigned long value)
{
    registers->regs[which] = value;
    return registers_write(tid, registers);
}

long registers_call(const struct user_regs_struct *registers)
{
    return (long)registers->regs[8];
}

long registers_result(const struct user_regs_struct *registers)
{
    return (long)registers->regs[0];
}

unsigned long registers_argument(const struct user_regs_struct *registers, int which)
{
    return registers->regs[which];
}

unsigned long registers_stack(const struct user_regs_struct *registers)
{
    return registers->sp;
}

#else
typedef int nothing_here; /* ISO C wants a declaration in every file */
#endif
