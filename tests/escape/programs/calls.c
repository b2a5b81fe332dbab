/* Asks the kernel in many ways for what is pinned: calls WHAT. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS 1000000L

static char *self;

static void tell_time(void)
{
    struct timespec libc, kernel, coarse;
    struct timeval day;
    clock_gettime(CLOCK_REALTIME, &libc);
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &kernel);
    clock_gettime(CLOCK_REALTIME_COARSE, &coarse);
    gettimeofday(&day, NULL);
    printf("%ld %ld %ld %ld %ld\n", (long)time(NULL), (long)libc.tv_sec, (long)kernel.tv_sec, (long)coarse.tv_sec, (long)day.tv_sec);
    fflush(stdout);
}

static void *spin(void *unused)
{
    for (;;)
        time(NULL);
    return unused;
}

static void *leave(void *unused)
{
    execl(self, self, "time", (char *)NULL);
    return unused;
}

/* A thread that is not the first becomes another program while others run. */
static void exec_of_a_thread(void)
{
    pthread_t thread;
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, NULL, spin, NULL);
    pthread_create(&thread, NULL, leave, NULL);
    pause();
}

static void child_by_vfork(void)
{
    pid_t child = vfork();
    if (child == 0) {
        execl(self, self, "time", (char *)NULL);
        _exit(1);
    }
    waitpid(child, NULL, 0);
}

static void child_by_clone3(void)
{
    struct clone_args how = {.exit_signal = SIGCHLD};
    pid_t child = (pid_t)syscall(SYS_clone3, &how, sizeof how);
    if (child == 0) {
        tell_time();
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

/* Nobody traces this child, so the calls that would stop are not there for it. */
static void child_out_of_sight(void)
{
    struct clone_args how = {.flags = CLONE_UNTRACED, .exit_signal = SIGCHLD};
    pid_t child = (pid_t)syscall(SYS_clone3, &how, sizeof how);
    if (child == 0) {
        struct timespec now;
        long result = syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
        printf("%ld %s\n", result, result ? strerror(errno) : "");
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static long passed_ms(const struct timespec *since)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - since->tv_sec) * 1000 + (now.tv_nsec - since->tv_nsec) / MS;
}

/* Waits until an instant of the real clock, which is the one that stands still. */
static void deadlines(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    struct timespec begin, until;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 300 * MS;
    struct timespec before = until;
    pthread_mutex_lock(&mutex);
    int result = pthread_cond_timedwait(&condition, &mutex, &until);
    printf("wait %s, early: %d, changed: %d\n", strerror(result), passed_ms(&begin) < 290, memcmp(&before, &until, sizeof until) != 0);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    result = clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL);
    printf("sleep %s, early: %d, changed: %d\n", strerror(result), passed_ms(&begin) < 290, memcmp(&before, &until, sizeof until) != 0);
}

static void *draw(void *into)
{
    syscall(SYS_getrandom, into, 8, 0);
    return NULL;
}

/* Threads that were started in one order draw the same numbers, in whatever order they come to it. */
static void random_of_threads(void)
{
    pthread_t threads[4];
    unsigned long numbers[5];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, draw, &numbers[i]);
    draw(&numbers[4]);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 5; i++)
        printf("%016lx ", numbers[i]);
    printf("\n");
}

/* Calls with bad arguments end as the kernel ends them. */
static void bad_arguments(void)
{
    void *nowhere = (void *)8;
    struct stat status;
    printf("%ld", syscall(SYS_clock_gettime, CLOCK_REALTIME, nowhere));
    printf(" %d", errno);
    printf(" %ld", syscall(SYS_getrandom, nowhere, 8, 0));
    printf(" %d", errno);
    printf(" %ld", syscall(SYS_getrandom, nowhere, 8, 64));
    printf(" %d", errno);
    printf(" %ld", syscall(SYS_uname, nowhere));
    printf(" %d", errno);
    printf(" %ld", syscall(SYS_newfstatat, -1, nowhere, &status, 0));
    printf(" %d", errno);
    printf(" %ld", syscall(SYS_newfstatat, -1, "/usr", nowhere, 0));
    printf(" %d", errno);
    printf(" %ld", syscall(SYS_newfstatat, -1, "/", nowhere, 0));
    printf(" %d\n", errno);
}

static const struct {
    const char *name;
    void (*what)(void);
} known[] = {
    {"time", tell_time},
    {"exec", exec_of_a_thread},
    {"vfork", child_by_vfork},
    {"clone3", child_by_clone3},
    {"untraced", child_out_of_sight},
    {"deadlines", deadlines},
    {"random", random_of_threads},
    {"bad", bad_arguments},
};

int main(int count, char **words)
{
    self = words[0];
    for (size_t i = 0; count == 2 && i < sizeof known / sizeof *known; i++)
        if (strcmp(words[1], known[i].name) == 0) {
            known[i].what();
            return 0;
        }
    return 2;
}
