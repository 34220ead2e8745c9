using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Dump.Samples.Managed.Scenes;

/// <summary>Programs that end by an exception or a signal, after they have handled another exception.</summary>
internal static class CrashScenes
{
    private const int FirstPage = 0x18;

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("crash-thrown", s => After(s, () => Order(7)));
        scenes.Add("crash-null", s => After(s, () => Console.WriteLine(Nothing()!.Length)));
        scenes.Add("crash-failfast", s => After(s, () => Environment.FailFast("cannot go on")));
        scenes.Add("crash-overflow", s => After(s, () => Console.WriteLine(Descend(0))));
        scenes.Add("crash-pool", s => After(s, () => Order(7), onPool: true));
        scenes.Add("crash-segv", s => After(s, () => Copy(FirstPage, FirstPage, 64)));
        scenes.Add("crash-in-catch", s => After(s, FailWhileHandling));
        scenes.Add("crash-handled", HandledThenHang);
        scenes.Add("crash-abort", s => After(s, Abort));
    }

    private static void After(Stage stage, Action crash, bool onPool = false)
    {
        try
        {
            Order(1);
        }
        catch (InvalidOperationException)
        {
            // Handled: no part of the crash.
        }

        using ManualResetEventSlim begun = new(), start = new();
        void Crash()
        {
            stage.Role("crashing");
            begun.Set();
            start.Wait();
            crash();
        }

        if (onPool)
        {
            ThreadPool.UnsafeQueueUserWorkItem(_ => Crash(), null);
        }
        else
        {
            new Thread(Crash).Start();
        }

        begun.Wait();
        if (RuntimeInformation.IsOSPlatform(OSPlatform.Windows))
        {
            // Here a debugger is told of the crash, unless the runtime has a dump written of it.
            stage.Ready();
            if (Environment.GetEnvironmentVariable("DOTNET_DbgEnableMiniDump") is null)
            {
                stage.Until("a debugger", IsDebuggerPresent);
            }
        }

        start.Set();
        Stage.Forever();
    }

    /// <summary>A near miss: the exception that is told of is not the one that is being handled.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void FailWhileHandling()
    {
        try
        {
            Order(7);
        }
        catch (InvalidOperationException)
        {
            Console.WriteLine(Nothing()!.Length);
        }
    }

    /// <summary>A near miss: threads that have handled exceptions, one of them still, and then lock each other out.</summary>
    private static void HandledThenHang(Stage stage)
    {
        object first = new(), second = new();
        using Barrier both = new(2);
        void Take(object own, object other)
        {
            try
            {
                Order(7);
            }
            catch (InvalidOperationException)
            {
                lock (own)
                {
                    both.SignalAndWait();
                    lock (other)
                    {
                        Console.WriteLine("both");
                    }
                }
            }
        }

        stage.UntilBlocked(stage.Start("first", () => Take(first, second)), stage.Start("second", () => Take(second, first)));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Order(int number) => throw new InvalidOperationException($"no order {number}", new ArgumentException("it was never placed"));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string? Nothing() => null;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Descend(int depth) => Descend(depth + 1) + Descend(depth + 2);

    [DllImport("libc", EntryPoint = "memcpy")]
    private static extern nint Copy(nint to, nint from, nint bytes);

    [DllImport("kernel32")]
    [return: MarshalAs(UnmanagedType.Bool)]
    private static extern bool IsDebuggerPresent();

    [DllImport("libc", EntryPoint = "abort")]
    private static extern void Abort();
}
