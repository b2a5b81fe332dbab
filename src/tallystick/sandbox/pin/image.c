/* A program right after execve: what the kernel left on its stack, see getauxval(3).
 *
 * The vDSO is code of the kernel in every program that tells the time without a system call. Nobody looks for it when the
 * auxiliary vector does not name it.
 */
#include "pin.h"

#include <elf.h>

#define CHUNK 512            /* words read at once */
#define MOST_WORDS (1 << 20) /* argv and environment have at most 6 MiB, see execve(2) */
#define RANDOM_BYTES 16

/* Reads the stack forward, some words at a time. */
struct reader {
    pid_t tid;
    unsigned long address; /* of the word that comes next */
    unsigned long words[CHUNK];
    size_t have, used, left;
};

static bool next_word(struct reader *reader, unsigned long *word)
{
    if (reader->used == reader->have) {
        if (reader->left == 0)
            return false;
        /* Up to the end of a page: the stack may end with the next. */
        size_t room = (4096 - reader->address % 4096) / sizeof(unsigned long);
        reader->have = room < CHUNK ? room : CHUNK;
        reader->used = 0;
        reader->left--;
        if (reader->have == 0 || !memory_read(reader->tid, reader->address, reader->words, reader->have * sizeof(unsigned long)))
            return false;
    }
    *word = reader->words[reader->used++];
    reader->address += sizeof(unsigned long);
    return true;
}

static bool skip_list(struct reader *reader)
{
    unsigned long word;
    do {
        if (!next_word(reader, &word))
            return false;
    } while (word != 0);
    return true;
}

/* Go through the auxiliary vector: hide the vDSO, replace the kernel's random bytes. */
static void change_vector(struct reader *reader, struct stream *stream)
{
    unsigned long kind, value, ignore = AT_IGNORE;
    while (next_word(reader, &kind) && kind != AT_NULL && next_word(reader, &value)) {
        if (kind == AT_SYSINFO_EHDR)
            memory_write(reader->tid, reader->address - 2 * sizeof kind, &ignore, sizeof ignore);
        if (kind == AT_RANDOM) {
            unsigned char bytes[RANDOM_BYTES];
            stream_draw(stream, bytes, sizeof bytes);
            memory_write(reader->tid, value, bytes, sizeof bytes);
        }
    }
}

void image_prepare(pid_t tid, struct stream *stream)
{
    struct user_regs_struct registers;
    unsigned long argc;
    stream_exec(stream);
    if (!registers_read(tid, &registers))
        return;
    struct reader reader = {.tid = tid, .address = registers_stack(&registers), .left = MOST_WORDS / CHUNK * 2};
    if (next_word(&reader, &argc) && skip_list(&reader) && skip_list(&reader))
        change_vector(&reader, stream);
}
