using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Dump.Samples.Managed.Inlined;

/// <summary>
/// Runs one lambda as a task until the runtime has compiled it into the code that calls it, then has it block on every worker of the pool. Prints what
/// <c>managed-hang</c> prints, and ends by itself after ten minutes.
/// </summary>
internal static class Program
{
    private const int AtOnce = 50;
    private const int Workers = 12;
    private static readonly TaskCompletionSource s_never = new();
    private static volatile bool s_hasFrame = true;
    private static volatile bool s_blocks;
    private static int s_done;

    private static int Main()
    {
        Stage stage = new();
        Action work = Work();
        ThreadPool.SetMaxThreads(Workers, Workers);
        stage.Until("the lambda to be inlined", () =>
        {
            Task.WaitAll([.. Enumerable.Range(0, AtOnce).Select(_ => Task.Run(work))]);
            return !s_hasFrame;
        });
        s_blocks = true;
        stage.Keep(Enumerable.Range(0, AtOnce).Select(_ => Task.Run(work)).ToArray());
        stage.Until("the workers to block", () => ThreadPool.PendingWorkItemCount == AtOnce - Workers);
        stage.Ready();
        Thread.Sleep(TimeSpan.FromMinutes(10));
        Environment.Exit(0);
        return s_done;
    }

    private static Action Work() => [MethodImpl(MethodImplOptions.AggressiveInlining)] () =>
    {
        // Not the last thing that it does: a jump would leave no frame either.
        s_hasFrame = HasFrame();
        if (s_blocks)
        {
            s_never.Task.Wait();
        }

        s_done++;
    };

    /// <summary>True where the method that calls this one has a frame of its own.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static bool HasFrame() => new StackTrace(1, fNeedFileInfo: false).GetFrame(0)?.GetMethod()?.Module == typeof(Program).Module;
}
