using System.Runtime.InteropServices;

namespace Dump.Samples.Managed.Scenes;

/// <summary>Managed code and a mutex of the C library together, as a program has it that calls a native library which locks. On Linux only.</summary>
internal static class PthreadScenes
{
    // sizeof(pthread_mutex_t) of glibc on x86-64; all zero is PTHREAD_MUTEX_INITIALIZER.
    private const int MutexSize = 40;

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("pthread-cycle", stage => Play(stage, MonitorScenes.EnterAndLeave));
        scenes.Add("pthread-slow-owner", stage => Play(stage, _ => Thread.Sleep(TimeSpan.FromMinutes(1))));
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

    private static void LockThenCall(object table, IntPtr mutex, Barrier bothOwn)
    {
        lock (table)
        {
            bothOwn.SignalAndWait();
            _ = Lock(mutex);
        }
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

    private static IntPtr NewMutex()
    {
        IntPtr mutex = Marshal.AllocHGlobal(MutexSize);
        Marshal.Copy(new byte[MutexSize], 0, mutex, MutexSize);
        return mutex;
    }

    // pthreadtypes.h and lowlevellock.h of glibc: the first word is 2 for a mutex that somebody waits for.
    private static bool HasWaiters(IntPtr mutex) => Marshal.ReadInt32(mutex) == 2;

    [DllImport("libc", EntryPoint = "pthread_mutex_lock")]
    private static extern int Lock(IntPtr mutex);

    [DllImport("libc", EntryPoint = "pthread_mutex_unlock")]
    private static extern int Unlock(IntPtr mutex);
}
