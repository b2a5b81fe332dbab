/* The turn clock: it stands still and moves by STEP_S with every answer of the model.
 *
 * Whoever started us counts answers in a file of 64-bit little-endian numbers: [0] how many, [1] when the attempt began,
 * [2..] when each answer was delivered, in nanoseconds of the clock that files are stamped with. An instant is written
 * before the number that counts it. Without a file no answer ever comes.
 */
#include "pin.h"

#include <sys/mman.h>
#include <unistd.h>

#define TURNS_BYTES 65536
#define MOST_INSTANTS ((int64_t)(TURNS_BYTES / sizeof(int64_t)) - 2)
#define NS 1000000000LL

static const volatile int64_t *turns;
static int64_t real_start;

/* The clock that files are stamped with: the real one, as of the kernel's last tick. */
static int64_t stamping_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return (int64_t)now.tv_sec * NS + now.tv_nsec;
}

/* Map the file that `fd` is; -1 for none. */
void clock_open(int fd)
{
    real_start = stamping_ns();
    if (fd < 0)
        return;
    /* A shorter file would end us with SIGBUS in the middle of an attempt. */
    if (lseek(fd, 0, SEEK_END) < TURNS_BYTES)
        give_up("the file of turns: it is too short");
    void *mapped = mmap(NULL, TURNS_BYTES, PROT_READ, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED)
        give_up("the file of turns");
    close(fd);
    turns = mapped;
    if (turns[1] > 0)
        real_start = turns[1];
}

static int64_t answers(void)
{
    if (!turns)
        return 0;
    int64_t count = __atomic_load_n(&turns[0], __ATOMIC_ACQUIRE);
    return count > 0 ? count : 0;
}

void clock_now(struct timespec *now)
{
    now->tv_sec = BASE_S + STEP_S * answers();
    now->tv_nsec = 0;
}

/* How many answers had been delivered at a real instant. */
static int64_t answers_at(int64_t instant)
{
    int64_t count = answers(), low = 0, high = count < MOST_INSTANTS ? count : MOST_INSTANTS;
    int64_t known = high;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (turns[2 + middle] <= instant)
            low = middle + 1;
        else
            high = middle;
    }
    return low == known ? count : low; /* beyond the last instant that had room: now */
}

/* A file's time: one of this attempt is told on the turn clock, an older one stays. Whether it was changed. */
bool clock_map(int64_t *seconds, uint32_t *nanoseconds)
{
    int64_t instant;
    if (__builtin_mul_overflow(*seconds, NS, &instant) || instant < real_start - *nanoseconds)
        return false;
    *seconds = BASE_S + STEP_S * answers_at(instant + *nanoseconds);
    *nanoseconds = 0;
    return true;
}

/* A deadline on the turn clock as the kernel's clock will show it: as far from now as before. */
void clock_to_real(struct timespec *deadline)
{
    struct timespec shown, real;
    clock_now(&shown);
    clock_gettime(CLOCK_REALTIME, &real);
    int64_t ahead;
    if (__builtin_sub_overflow((int64_t)deadline->tv_sec, (int64_t)shown.tv_sec, &ahead) ||
        __builtin_add_overflow((int64_t)real.tv_sec, ahead, (int64_t *)&deadline->tv_sec))
        return; /* hundreds of billions of years away, before and after */
    deadline->tv_nsec += real.tv_nsec;
    if (deadline->tv_nsec >= NS) {
        deadline->tv_nsec -= NS;
        deadline->tv_sec += 1;
    }
}
