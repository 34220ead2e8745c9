using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Dump.Samples.Managed.Scenes;

/// <summary>Programs that end by an exception or a signal, after they have handled another exception.</summary>
internal static class CrashScenes
{
    private const int FirstPage = 0x18;

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("crash-thrown", _ => After(() => Order(7)));
        scenes.Add("crash-null", _ => After(() => Console.WriteLine(Nothing()!.Length)));
        scenes.Add("crash-failfast", _ => After(() => Environment.FailFast("cannot go on")));
        scenes.Add("crash-overflow", _ => After(() => Console.WriteLine(Descend(0))));
        scenes.Add("crash-segv", _ => After(() => Copy(FirstPage, FirstPage, 64)));
        scenes.Add("crash-abort", _ => After(Abort));
    }

    private static void After(Action crash)
    {
        try
        {
            Order(1);
        }
        catch (InvalidOperationException)
        {
            // Handled: no part of the crash.
        }

        Thread thread = new(() => crash());
        thread.Start();
        thread.Join();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Order(int number) => throw new InvalidOperationException($"no order {number}", new ArgumentException("it was never placed"));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static string? Nothing() => null;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int Descend(int depth) => Descend(depth + 1) + Descend(depth + 2);

    [DllImport("libc", EntryPoint = "memcpy")]
    private static extern nint Copy(nint to, nint from, nint bytes);

    [DllImport("libc", EntryPoint = "abort")]
    private static extern void Abort();
}
