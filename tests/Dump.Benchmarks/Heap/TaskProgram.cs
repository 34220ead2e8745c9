namespace Dump.Benchmarks.Heap;

/// <summary>
/// The process whose pending async methods are listed: requests of two methods each, all at one semaphore, or methods that await a completion source each.
/// Started by the benchmark as a process of its own.
/// </summary>
internal static class TaskProgram
{
    private static readonly TimeSpan s_lifetime = TimeSpan.FromMinutes(5);

    /// <summary>Begins the methods, prints <c>ready</c> and sleeps.</summary>
    /// <param name="methods">How many async methods.</param>
    /// <param name="ofSources">True for methods that await a completion source each.</param>
    public static int Run(int methods, bool ofSources)
    {
        SemaphoreSlim gate = new(0);
        TaskCompletionSource[] sources = [.. Enumerable.Range(0, ofSources ? methods : 0).Select(_ => new TaskCompletionSource())];
        Task[] pending = ofSources ? [.. sources.Select(s => AwaitAsync(s.Task))] : [.. Enumerable.Range(0, methods / 2).Select(i => HandleAsync(gate, i))];
        Console.WriteLine("ready");
        Thread.Sleep(s_lifetime);
        GC.KeepAlive(sources);
        GC.KeepAlive(pending);
        return 0;
    }

    private static async Task HandleAsync(SemaphoreSlim gate, int number) => Console.WriteLine(number + await LoadAsync(gate).ConfigureAwait(false));

    private static async Task<int> LoadAsync(SemaphoreSlim gate)
    {
        await gate.WaitAsync().ConfigureAwait(false);
        return gate.CurrentCount;
    }

    private static async Task AwaitAsync(Task answer)
    {
        await answer.ConfigureAwait(false);
        Console.WriteLine(answer);
    }
}
