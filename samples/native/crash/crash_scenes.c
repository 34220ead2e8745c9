#include "crash_scenes.h"
#include "sample.h"

#define OWN_CODE 0xE0000042u
#define FAST_FAIL_FATAL 7u

/* Operands come from here, so that the compiler knows none of them. */
static volatile LONG zero;
static void (*volatile no_function)(void);

struct order {
    char customer[0x18];
    volatile LONG number;
};

static struct order *volatile no_order;

void crash_read(void)
{
    zero = no_order->number;
}

void crash_write(void)
{
    volatile LONG *target = VirtualAlloc(NULL, 1, MEM_COMMIT | MEM_RESERVE, PAGE_READONLY);
    if (target == NULL)
        sample_fail("VirtualAlloc");
    sample_address("target", target);
    *target = 1;
}

void crash_call(void)
{
    no_function();
    zero = 0;
}

void crash_overflow(void)
{
    volatile char frame[1024];
    frame[0] = (char)zero;
    if (zero == 0)
        crash_overflow();
    frame[1] = frame[0];
}

void crash_divide(void)
{
    zero = 7 / zero;
}

void crash_illegal(void)
{
    __asm__ volatile("ud2");
}

void crash_fast_fail(void)
{
    __asm__ volatile("int $0x29" : : "c"(FAST_FAIL_FATAL));
}

void crash_parameter(void)
{
    /* The universal C runtime raises an exception for it; msvcrt, of which this program is, does not. */
    HMODULE runtime = LoadLibraryA("ucrtbase.dll");
    void (*invalid)(void) = (void (*)(void))(void *)GetProcAddress(runtime, "_invalid_parameter_noinfo");
    if (invalid == NULL)
        sample_fail("finding _invalid_parameter_noinfo");
    invalid();
    zero = 0;
}

void crash_own(void)
{
    const ULONG_PTR details[] = { 7, 42 };
    RaiseException(OWN_CODE, EXCEPTION_NONCONTINUABLE, 2, details);
    zero = 0;
}
