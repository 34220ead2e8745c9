namespace Dump.Benchmarks.Live;

/// <summary>
/// The process that is looked at: as many threads as wanted, each ten calls deep in one of the waits that servers have. Started by the benchmark as a process
/// of its own.
/// </summary>
internal static class ThreadProgram
{
    private const int Depth = 10;
    private static readonly TimeSpan s_lifetime = TimeSpan.FromMinutes(10);

    /// <summary>Starts the threads, prints <c>ready</c> and sleeps.</summary>
    /// <param name="threads">How many.</param>
    public static int Run(int threads)
    {
        ManualResetEventSlim never = new();
        SemaphoreSlim queue = new(0);
        object gate = new();
        using AutoResetEvent signal = new(false);
        using CountdownEvent begun = new(threads);
        Action[] waits =
        [
            () => never.Wait(s_lifetime),
            () => queue.Wait(s_lifetime),
            () => signal.WaitOne(s_lifetime),
            () => WaitForPulse(gate),
            () => Thread.Sleep(s_lifetime),
        ];
        for (int i = 0; i < threads; i++)
        {
            Action wait = waits[i % waits.Length];
            new Thread(() => Descend(Depth, begun, wait), 256 << 10) { IsBackground = true, Name = $"worker {i}" }.Start();
        }

        begun.Wait();
        Thread.Sleep(TimeSpan.FromSeconds(1));
        Console.WriteLine("ready");
        Thread.Sleep(s_lifetime);
        return 0;
    }

    private static void Descend(int depth, CountdownEvent begun, Action wait)
    {
        if (depth > 0)
        {
            Descend(depth - 1, begun, wait);
            return;
        }

        begun.Signal();
        wait();
    }

    private static void WaitForPulse(object gate)
    {
        lock (gate)
        {
            Monitor.Wait(gate, s_lifetime);
        }
    }
}
