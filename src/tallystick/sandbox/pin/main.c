/* pin [--turns-fd N] -- PROGRAM ARGUMENT...
 *
 * Starts PROGRAM with everything pinned and ends as it ended: with its exit code, or by its signal. When the launcher ends,
 * however it does, everything that it traced is killed. N is a descriptor of the file of turns, see clock.c: it is inherited
 * and closed, so that nothing below can open the file.
 */
#define _GNU_SOURCE
#include "pin.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_NOT_RUNNABLE 126
#define EXIT_NOT_FOUND 127

static const int passed_on[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGWINCH};
static volatile pid_t program;

_Noreturn void give_up(const char *what)
{
    fprintf(stderr, "tally: pin: %s: %s\n", what, errno ? strerror(errno) : "failed");
    _exit(EXIT_TROUBLE);
}

/* In the child: wait until we are traced, then become the program.
 *
 * Our memory is closed like the launcher's, of which it is a copy, so that even the launcher could not trace us: open it, and
 * tell. Nothing of the program is alive yet. */
static _Noreturn void become(char **argv, int gate)
{
    char go = 0;
    if (prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) != 0 || write(gate, &go, 1) != 1)
        give_up("opening the new process");
    if (read(gate, &go, 1) != 1)
        _exit(EXIT_TROUBLE); /* the launcher has said why */
    if (personality(ADDR_NO_RANDOMIZE | PER_LINUX) < 0)
        give_up("switching off random addresses");
    if (!filter_install())
        give_up("the system call filter");
    execvp(argv[0], argv);
    fprintf(stderr, "tally: %s: %s\n", argv[0], errno == ENOENT ? "not found" : strerror(errno));
    _exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_RUNNABLE);
}

/* Returns the child, which is ready, and in `gate` the descriptor on which a byte lets it go. */
static pid_t start(char **argv, int *gate)
{
    int ends[2];
    char ready;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        give_up("a pair of sockets");
    pid_t child = fork();
    if (child < 0)
        give_up("starting a process");
    if (child == 0) {
        close(ends[1]);
        become(argv, ends[0]);
    }
    close(ends[0]);
    if (read(ends[1], &ready, 1) != 1)
        _exit(EXIT_TROUBLE); /* the child has said why */
    *gate = ends[1];
    return child;
}

static void pass_on(int signal)
{
    int before = errno;
    kill(program, signal);
    errno = before;
}

static void pass_signals_on(void)
{
    struct sigaction action = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
    for (size_t i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
        sigaction(passed_on[i], &action, NULL);
}

/* End as the program did. */
static int end_as(int status)
{
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    int number = WTERMSIG(status);
    sigset_t only;
    signal(number, SIG_DFL);
    sigemptyset(&only);
    sigaddset(&only, number);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
    return 128 + number;
}

static int run(char **argv)
{
    const long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC |
                         PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
    int gate;
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* programs of the same user are kept out of our memory and descriptors */
    program = start(argv, &gate);
    pass_signals_on();
    if (ptrace(PTRACE_SEIZE, program, NULL, (void *)options) != 0)
        give_up("tracing (ptrace may be forbidden here)");
    stream_root(&task_add(program)->stream);
    if (write(gate, "", 1) != 1)
        give_up("letting the program go");
    close(gate);
    return end_as(trace_until_end(program));
}

/* A descriptor's number; anything else is a mistake of whoever calls us. */
static int number(const char *text)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || *end || end == text || value < 3 || value > 1 << 20) {
        errno = EINVAL;
        give_up("--turns-fd");
    }
    return (int)value;
}

int main(int count, char **words)
{
    int turns = -1, at = 1;
    if (count == 2 && strcmp(words[1], "--probe") == 0)
        return probe();
    if (count > at + 1 && strcmp(words[at], "--turns-fd") == 0) {
        turns = number(words[at + 1]);
        at += 2;
    }
    if (count < at + 2 || strcmp(words[at], "--") != 0) {
        fputs("usage: pin [--turns-fd N] -- PROGRAM ARGUMENT...\n", stderr);
        return EXIT_TROUBLE;
    }
    clock_open(turns);
    readonly_open();
    return run(words + at + 1);
}
