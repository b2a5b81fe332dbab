/* Random numbers that are the same in every run.
 *
 * Every thread has a stream of its own, made from the stream of the thread that started it and from how many that one had
 * started before. So a program's numbers depend on how it came to be, and not on what runs beside it. The generator is
 * SplitMix64 (Steele, Lea, Flood 2014): fast, evenly spread, and no secret to anybody.
 */
#include "pin.h"

#include <string.h>

#define GOLDEN 0x9e3779b97f4a7c15ULL

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

static uint64_t derive(uint64_t seed, uint64_t kind, uint64_t number)
{
    return mix(mix(seed + kind * GOLDEN) + (number + 1) * GOLDEN);
}

static void begin(struct stream *stream, uint64_t seed)
{
    *stream = (struct stream){.seed = seed, .position = mix(seed)};
}

void stream_root(struct stream *stream)
{
    begin(stream, mix(SEED));
}

void stream_birth(struct stream *parent, struct stream *child)
{
    begin(child, derive(parent->seed, 1, parent->births++));
}

/* For a thread whose starter was killed before it could be told apart from others. */
void stream_stray(struct stream *child)
{
    static uint64_t strays;
    begin(child, derive(SEED, 2, strays++));
}

/* A new program in the same process: how much the old one had drawn must not matter. */
void stream_exec(struct stream *stream)
{
    stream->position = derive(stream->seed, 3, stream->execs++);
}

void stream_draw(struct stream *stream, void *into, size_t size)
{
    unsigned char *next = into;
    while (size > 0) {
        uint64_t number = mix(stream->position += GOLDEN);
        size_t part = size < sizeof number ? size : sizeof number;
        memcpy(next, &number, part);
        next += part;
        size -= part;
    }
}
