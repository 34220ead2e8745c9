using System.Runtime.InteropServices;

namespace Dump.Samples.Managed.Scenes;

/// <summary>Managed code and a mutex of the C library together, as a program has it that calls a native library which locks. On Linux only.</summary>
internal static class PthreadScenes
{
    // sizeof(pthread_mutex_t) of glibc on x86-64; all zero is PTHREAD_MUTEX_INITIALIZER.
    private const int MutexSize = 40;

    // sizeof(pthread_rwlock_t), likewise.
    private const int ReaderWriterLockSize = 56;

    // sem_t, 32 bytes: value, number of waiters (glibc sysdeps/nptl/internaltypes.h).
    private const int SemaphoreSize = 32;
    private const int SemaphoreWaiters = 4;

    private delegate int Comparison(IntPtr left, IntPtr right);

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("pthread-cycle", stage => Play(stage, MonitorScenes.EnterAndLeave));
        scenes.Add("pthread-slow-owner", stage => Play(stage, _ => Thread.Sleep(TimeSpan.FromMinutes(1))));
        scenes.Add("pthread-callback-cycle", CallbackCycle);
        scenes.Add("pthread-semaphore", EmptySemaphore);
        scenes.Add("pthread-semaphore-idle", IdleWorker);
        scenes.Add("pthread-readers", ReadersBlockWriter);
        scenes.Add("pthread-busy", Busy);
    }

    /// <summary>One thread owns a monitor and waits for the mutex; the mutex' owner does what the scene says.</summary>
    private static void Play(Stage stage, Action<object> underMutex)
    {
        object table = new();
        IntPtr mutex = NewMutex();
        using Barrier bothOwn = new(2);
        Thread native = stage.Start("owns-native", () =>
        {
            _ = Lock(mutex);
            bothOwn.SignalAndWait();
            underMutex(table);
        });
        stage.Start("owns-monitor", () => LockThenCall(table, mutex, bothOwn));
        stage.Until("the mutex to be waited for", () => HasWaiters(mutex));
        stage.UntilBlocked(native);
    }

    /// <summary>The same cycle, whose managed half is called back by native code: a library sorts under a mutex and asks what comes first.</summary>
    private static void CallbackCycle(Stage stage)
    {
        object table = new();
        IntPtr mutex = NewMutex();
        using Barrier bothOwn = new(2);
        Comparison compare = (left, right) =>
        {
            bothOwn.SignalAndWait();
            MonitorScenes.EnterAndLeave(table);
            return 0;
        };
        Thread native = stage.Start("owns-native", () =>
        {
            _ = Lock(mutex);
            Sort([2, 1], 2, sizeof(int), compare);
        });
        stage.Start("owns-monitor", () => LockThenCall(table, mutex, bothOwn));
        stage.Until("the mutex to be waited for", () => HasWaiters(mutex));
        stage.UntilBlocked(native);
    }

    /// <summary>A call into a native library never comes back: it waits for a semaphore that nobody posts, under a monitor that another thread wants.</summary>
    private static void EmptySemaphore(Stage stage)
    {
        object table = new();
        IntPtr semaphore = NewZeroed(SemaphoreSize);
        Thread caller = stage.Start("calls-native", () =>
        {
            lock (table)
            {
                _ = WaitForSemaphore(semaphore);
            }
        });
        stage.Until("the semaphore to be waited for", () => Marshal.ReadInt32(semaphore, SemaphoreWaiters) == 1);
        Thread waiter = stage.Start("wants-monitor", () => MonitorScenes.EnterAndLeave(table));
        stage.UntilBlocked(waiter);
        GC.KeepAlive(caller);
    }

    /// <summary>A worker inside of a native library that waits for work, which nobody waits for: programs have such threads for all their lives.</summary>
    private static void IdleWorker(Stage stage)
    {
        IntPtr semaphore = NewZeroed(SemaphoreSize);
        stage.Start("works-natively", () => _ = WaitForSemaphore(semaphore));
        stage.Until("the semaphore to be waited for", () => Marshal.ReadInt32(semaphore, SemaphoreWaiters) == 1);
    }

    private static void LockThenCall(object table, IntPtr mutex, Barrier bothOwn)
    {
        lock (table)
        {
            bothOwn.SignalAndWait();
            _ = Lock(mutex);
        }
    }

    /// <summary>A writer owns the monitor that a reader of its lock waits for; the lock counts its readers and names none.</summary>
    private static void ReadersBlockWriter(Stage stage)
    {
        object table = new();
        IntPtr readerWriterLock = NewZeroed(ReaderWriterLockSize);
        using Barrier bothOwn = new(2);
        Thread reader = stage.Start("reader", () =>
        {
            _ = ReadLock(readerWriterLock);
            bothOwn.SignalAndWait();
            MonitorScenes.EnterAndLeave(table);
        });
        stage.Start("writer", () =>
        {
            lock (table)
            {
                bothOwn.SignalAndWait();
                _ = WriteLock(readerWriterLock);
            }
        });

        // struct_rwlock.h of glibc: number of readers times eight; with a writer that waits the second bit is set.
        stage.Until("the lock to be waited for", () => (Marshal.ReadInt32(readerWriterLock) & 2) != 0);
        stage.UntilBlocked(reader);
    }

    /// <summary>Threads that take both in one order all the time.</summary>
    private static void Busy(Stage stage)
    {
        object table = new();
        IntPtr mutex = NewMutex();
        for (int i = 0; i < 4; i++)
        {
            stage.Start($"busy-{i}", () =>
            {
                while (true)
                {
                    lock (table)
                    {
                        _ = Lock(mutex);
                        Thread.SpinWait(50);
                        _ = Unlock(mutex);
                    }
                }
            });
        }
    }

    private static IntPtr NewMutex() => NewZeroed(MutexSize);

    private static IntPtr NewZeroed(int size)
    {
        IntPtr memory = Marshal.AllocHGlobal(size);
        Marshal.Copy(new byte[size], 0, memory, size);
        return memory;
    }

    // pthreadtypes.h and lowlevellock.h of glibc: the first word is 2 for a mutex that somebody waits for.
    private static bool HasWaiters(IntPtr mutex) => Marshal.ReadInt32(mutex) == 2;

    [DllImport("libc", EntryPoint = "pthread_mutex_lock")]
    private static extern int Lock(IntPtr mutex);

    [DllImport("libc", EntryPoint = "pthread_rwlock_rdlock")]
    private static extern int ReadLock(IntPtr readerWriterLock);

    [DllImport("libc", EntryPoint = "pthread_rwlock_wrlock")]
    private static extern int WriteLock(IntPtr readerWriterLock);

    [DllImport("libc", EntryPoint = "qsort")]
    private static extern void Sort(int[] items, nuint count, nuint size, Comparison compare);

    [DllImport("libc", EntryPoint = "sem_wait")]
    private static extern int WaitForSemaphore(IntPtr semaphore);

    [DllImport("libc", EntryPoint = "pthread_mutex_unlock")]
    private static extern int Unlock(IntPtr mutex);
}
