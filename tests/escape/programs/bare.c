/* A program without a C library, as Go makes them: it writes the clock's seconds as eight bytes. */
static long call(long number, long a, long b, long c)
{
#ifdef __x86_64__
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
#else
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
#endif
}

#ifdef __x86_64__
enum { WRITE = 1, CLOCK_GETTIME = 228, EXIT_GROUP = 231 };
#else
enum { WRITE = 64, CLOCK_GETTIME = 113, EXIT_GROUP = 94 };
#endif

void _start(void)
{
    long now[2] = {0, 0};
    call(CLOCK_GETTIME, 0, (long)now, 0);
    call(WRITE, 1, (long)now, sizeof now[0]);
    call(EXIT_GROUP, 0, 0, 0);
}
