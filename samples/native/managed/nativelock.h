/* nativelock.dll: a native library with one lock, as a managed program calls it. Its lock is an ordinary critical section. */
#ifndef NATIVELOCK_H
#define NATIVELOCK_H

#ifdef NATIVELOCK_BUILDING
#define NATIVELOCK_API __declspec(dllexport)
#else
#define NATIVELOCK_API __declspec(dllimport)
#endif

/* Called back by the library while it owns its lock. */
typedef void (*nativelock_callback)(void);

/* Takes the library's lock, calls back and releases the lock. */
NATIVELOCK_API void nativelock_call(nativelock_callback callback);

/* How many threads wait for the library's lock. */
NATIVELOCK_API int nativelock_waiters(void);

#endif
