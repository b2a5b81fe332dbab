/* Times of files, after the kernel has told them. */
#define _GNU_SOURCE
#include "pin.h"

#include <linux/stat.h>
/* linux/stat.h and sys/stat.h cannot both be included everywhere, and struct stat is the same in both. */
#include <asm/stat.h>

/* On both architectures a time in struct stat is two longs. */
struct moment {
    long seconds;
    unsigned long nanoseconds;
};

static bool map(struct moment *time)
{
    int64_t seconds = time->seconds;
    uint32_t nanoseconds = (uint32_t)time->nanoseconds;
    bool young = clock_map(&seconds, &nanoseconds);
    *time = (struct moment){seconds, nanoseconds};
    return young;
}

void stat_map(pid_t tid, unsigned long address)
{
    struct moment times[3]; /* access, modification, change: next to each other */
    unsigned long at = address + offsetof(struct stat, st_atime);
    if (!memory_read(tid, at, times, sizeof times))
        return;
    bool young = false;
    for (int i = 0; i < 3; i++)
        young |= map(&times[i]);
    if (young)
        memory_write(tid, at, times, sizeof times);
}

void statx_map(pid_t tid, unsigned long address)
{
    struct statx_timestamp times[4]; /* access, birth, change, modification: next to each other */
    unsigned long at = address + offsetof(struct statx, stx_atime);
    if (!memory_read(tid, at, times, sizeof times))
        return;
    bool young = false;
    for (int i = 0; i < 4; i++) {
        int64_t seconds = times[i].tv_sec;
        uint32_t nanoseconds = times[i].tv_nsec;
        young |= clock_map(&seconds, &nanoseconds);
        times[i].tv_sec = seconds;
        times[i].tv_nsec = nanoseconds;
    }
    if (young)
        memory_write(tid, at, times, sizeof times);
}

_Static_assert(offsetof(struct stat, st_ctime) - offsetof(struct stat, st_atime) == 2 * sizeof(struct moment), "struct stat");
_Static_assert(offsetof(struct statx, stx_mtime) - offsetof(struct statx, stx_atime) == 3 * sizeof(struct statx_timestamp),
               "struct statx");
