/* Files that cannot be young, because they lie in a read-only mount that was there before: most of what programs look at.
 *
 * A stop costs far more than a look at the name, so a call about such a file is not waited for. What stands in memory (tmpfs)
 * or is made by the kernel is young even where it is read-only. A link may lead out of a read-only mount: then the program sees
 * the real time of what is there, which links in /usr do not come to.
 */
#define _GNU_SOURCE
#include "pin.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_MOUNTS 256
#define PATH_PIECE 256 /* longer names are waited for */

static struct mount {
    char *at;
    size_t length;
    bool old;
} mounts[MOST_MOUNTS];
static size_t count;

static bool is_old(const char *options, const char *kind)
{
    static const char *const young[] = {"tmpfs", "ramfs", "proc", "sysfs", "devpts", "devtmpfs", "mqueue"};
    if (strncmp(options, "ro", 2) != 0 || (options[2] != ',' && options[2] != '\0'))
        return false;
    for (size_t i = 0; i < sizeof young / sizeof *young; i++)
        if (strcmp(kind, young[i]) == 0)
            return false;
    return true;
}

/* See proc_pid_mountinfo(5): fields 5 and 6, and the one after " - ". A place with an escaped character is waited for. */
void readonly_open(void)
{
    char *line = NULL, *at = NULL, *options = NULL;
    size_t room = 0;
    FILE *file = fopen("/proc/self/mountinfo", "re");
    if (!file)
        return;
    while (count < MOST_MOUNTS && getline(&line, &room, file) > 0) {
        char kind[32];
        const char *rest = strstr(line, " - ");
        if (!rest || sscanf(rest, " - %31s", kind) != 1 || sscanf(line, "%*s %*s %*s %*s %ms %ms", &at, &options) != 2)
            continue;
        mounts[count++] = (struct mount){at, strlen(at), is_old(options, kind)};
        free(options);
    }
    if (count == MOST_MOUNTS)
        count = 0; /* what is not known could lie anywhere */
    free(line);
    fclose(file);
}

/* Whether the mount that an absolute name without ".." lies in is old; of mounts at one place the last counts. */
static bool name_is_old(const char *name)
{
    const struct mount *found = NULL;
    if (name[0] != '/' || strstr(name, "/.."))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct mount *mount = &mounts[i];
        bool below = mount->length == 1 ||
                     (strncmp(name, mount->at, mount->length) == 0 && strchr("/", name[mount->length]) != NULL);
        if (below && (!found || mount->length >= found->length))
            found = mount;
    }
    return found && found->old;
}

bool readonly_name(pid_t tid, unsigned long address)
{
    char name[PATH_PIECE];
    /* Not over the end of a page: the next may not be there. */
    size_t room = 4096 - address % 4096;
    if (room > sizeof name)
        room = sizeof name;
    return count > 0 && memory_read(tid, address, name, room) && memchr(name, '\0', room) && name_is_old(name);
}

bool readonly_descriptor(pid_t tid, int descriptor)
{
    char link[64], name[PATH_PIECE];
    if (count == 0 || descriptor < 0)
        return false;
    snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)tid, descriptor);
    ssize_t length = readlink(link, name, sizeof name);
    if (length <= 0 || length == sizeof name)
        return false;
    name[length] = '\0';
    return name_is_old(name);
}
