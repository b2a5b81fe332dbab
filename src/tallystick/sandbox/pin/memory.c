/* The memory of a stopped thread. Page protection holds as for the program itself: a bad address is a bad address. */
#define _GNU_SOURCE
#include "pin.h"

#include <errno.h>
#include <sys/uio.h>

bool memory_read(pid_t tid, unsigned long address, void *into, size_t size)
{
    struct iovec here = {into, size}, there = {(void *)address, size};
    ssize_t done = process_vm_readv(tid, &here, 1, &there, 1, 0);
    if (done >= 0 && (size_t)done != size)
        errno = EFAULT;
    return done == (ssize_t)size;
}

bool memory_write(pid_t tid, unsigned long address, const void *from, size_t size)
{
    struct iovec here = {(void *)from, size}, there = {(void *)address, size};
    ssize_t done = process_vm_writev(tid, &here, 1, &there, 1, 0);
    if (done >= 0 && (size_t)done != size)
        errno = EFAULT;
    return done == (ssize_t)size;
}
