/* The scenes of crash.exe. Each takes what the program should not have done on the calling thread; all functions are exported, so that stacks name them. */
#ifndef CRASH_SCENES_H
#define CRASH_SCENES_H

#ifdef __cplusplus
extern "C" {
#endif

#define CRASH_FUNCTION __attribute__((noinline)) __declspec(dllexport)

CRASH_FUNCTION void crash_read(void);      /* reads a field of an object at null: address 0x18 */
CRASH_FUNCTION void crash_write(void);     /* writes to memory that is read-only; prints its address as "target" */
CRASH_FUNCTION void crash_call(void);      /* calls through a function pointer that is null */
CRASH_FUNCTION void crash_overflow(void);  /* recurses until the stack is full; under Wine only a debugger sees it */
CRASH_FUNCTION void crash_divide(void);    /* divides an integer by zero */
CRASH_FUNCTION void crash_illegal(void);   /* executes an instruction that no processor has (UD2) */
CRASH_FUNCTION void crash_fast_fail(void); /* __fastfail(FAST_FAIL_FATAL_APP_EXIT), as abort of Visual C++ does; only a debugger sees it */
CRASH_FUNCTION void crash_parameter(void); /* gives the C runtime a parameter that it finds invalid */
CRASH_FUNCTION void crash_own(void);       /* RaiseException with a code of its own */
CRASH_FUNCTION void crash_throw(void);     /* throws a C++ exception that nobody catches; GCC's, which is none of Visual C++ */

CRASH_FUNCTION void handled_then_hang(void); /* near miss: handles a write to null, then two threads deadlock on two critical sections */

#ifdef __cplusplus
}
#endif

#endif
