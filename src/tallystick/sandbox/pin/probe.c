/* `pin --probe` prints what a program sees of everything that is pinned. `pin -- pin --probe` is the launcher's test of itself. */
#define _GNU_SOURCE
#include "pin.h"

#include <stdio.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

int probe(void)
{
    struct timespec now = {0};
    struct utsname names = {0};
    unsigned long number = 0;
    struct stat of_pipe = {0};
    int ends[2];
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    uname(&names);
    if (pipe(ends) == 0) /* something that was made just now */
        fstat(ends[0], &of_pipe);
    if (syscall(SYS_getrandom, &number, sizeof number, 0) != sizeof number)
        number = 0;
    const unsigned char *bytes = (const unsigned char *)getauxval(AT_RANDOM);
    printf("clock %lld %lld\n", (long long)time(NULL), (long long)now.tv_sec);
    printf("stat %lld\n", (long long)of_pipe.st_mtime);
    printf("kernel %s %s\n", names.release, names.version);
    printf("random %016lx %02x%02x\n", number, bytes ? bytes[0] : 0, bytes ? bytes[1] : 0);
    printf("addresses %d\n", (personality(0xffffffff) & ADDR_NO_RANDOMIZE) != 0);
    return 0;
}
