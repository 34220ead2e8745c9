namespace Dump.Samples.Healthy;

/// <summary>Four threads that allocate all the time, so that the collector works all the time.</summary>
internal static class Allocations
{
    private const int Threads = 4;
    private const int Kept = 2_000;

    public static void Run()
    {
        Thread[] threads = [.. Enumerable.Range(0, Threads).Select(i => new Thread(() => Allocate(i)) { Name = $"allocator {i}" })];
        Array.ForEach(threads, t => t.Start());
        Console.WriteLine("ready");
        Array.ForEach(threads, t => t.Join());
    }

    private static void Allocate(int seed)
    {
        Random random = new(seed);
        object[] kept = new object[Kept];
        while (true)
        {
            kept[random.Next(Kept)] = new byte[random.Next(16, 4_096)];
        }
    }
}
