using System.Runtime.InteropServices;

namespace Dump.Samples.Managed.Scenes;

/// <summary>
/// Hangs of managed and native code together: a monitor, and the critical section of <c>nativelock.dll</c> (samples/native/managed), which calls back while it
/// owns it.
/// </summary>
internal static class NativeScenes
{
    private delegate void Callback();

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("native-cycle", stage => Play(stage, MonitorScenes.EnterAndLeave));
        scenes.Add("native-slow-owner", stage => Play(stage, _ => Thread.Sleep(TimeSpan.FromMinutes(1))));
        scenes.Add("native-timed", stage => Play(stage, table => Monitor.TryEnter(table, TimeSpan.FromMinutes(1))));
    }

    /// <summary>One thread owns a monitor and calls the library; another is inside of the library and does what the scene says.</summary>
    private static void Play(Stage stage, Action<object> insideOfLibrary)
    {
        object table = new();
        using Barrier bothOwn = new(2);
        Thread native = stage.Start("owns-native", () => NativeLock(() =>
        {
            bothOwn.SignalAndWait();
            insideOfLibrary(table);
        }));
        stage.Start("owns-monitor", () => LockThenCall(table, bothOwn));
        stage.Until("the library's lock to be waited for", () => NativeWaiters() == 1);
        stage.UntilBlocked(native);
    }

    private static void LockThenCall(object table, Barrier bothOwn)
    {
        lock (table)
        {
            bothOwn.SignalAndWait();
            NativeLock(() => { });
        }
    }

    [DllImport("nativelock", EntryPoint = "nativelock_call")]
    private static extern void NativeLock(Callback callback);

    [DllImport("nativelock", EntryPoint = "nativelock_waiters")]
    private static extern int NativeWaiters();
}
