/* System calls in the registers of x86-64: number in orig_rax, arguments in rdi rsi rdx r10 r8 r9, result in rax. */
#ifdef __x86_64__

#include "pin.h"

#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

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

static unsigned long long *argument(struct user_regs_struct *registers, int which)
{
    switch (which) {
    case 0: return &registers->rdi;
    case 1: return &registers->rsi;
    case 2: return &registers->rdx;
    case 3: return &registers->r10;
    case 4: return &registers->r8;
    default: return &registers->r9;
    }
}

/* Skip the call, see seccomp(2): with the number -1 the kernel leaves the result that it finds. */
bool registers_answer(pid_t tid, struct user_regs_struct *registers, long result)
{
    registers->orig_rax = (unsigned long long)-1;
    registers->rax = (unsigned long long)result;
    return registers_write(tid, registers);
}

bool registers_argument_set(pid_t tid, struct user_regs_struct *registers, int which, unsigned long value)
{
    *argument(registers, which) = value;
    return registers_write(tid, registers);
}

long registers_call(const struct user_regs_struct *registers)
{
    return (long)registers->orig_rax;
}

long registers_result(const struct user_regs_struct *registers)
{
    return (long)registers->rax;
}

unsigned long registers_argument(const struct user_regs_struct *registers, int which)
{
    return *argument((struct user_regs_struct *)registers, which);
}

unsigned long registers_stack(const struct user_regs_struct *registers)
{
    return registers->rsp;
}

#else
typedef int nothing_here; /* ISO C wants a declaration in every file */
#endif
