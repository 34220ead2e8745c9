namespace Dump.Samples.Healthy;

/// <summary>2,000 threads that wait for work of a queue, and one that gives one of them some every second.</summary>
internal static class IdleThreads
{
    private const int Threads = 2_000;

    public static void Run()
    {
        using SemaphoreSlim work = new(0);
        for (int i = 0; i < Threads; i++)
        {
            new Thread(() => Work(work), 128 << 10) { IsBackground = true, Name = $"worker {i}" }.Start();
        }

        Console.WriteLine("ready");
        while (true)
        {
            Thread.Sleep(TimeSpan.FromSeconds(1));
            work.Release();
        }
    }

    private static void Work(SemaphoreSlim work)
    {
        while (true)
        {
            work.Wait();
        }
    }
}
