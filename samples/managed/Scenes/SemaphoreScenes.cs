namespace Dump.Samples.Managed.Scenes;

/// <summary>Async methods that wait for a semaphore which nobody releases, or not yet.</summary>
internal static class SemaphoreScenes
{
    private const int Requests = 200;
    private const int Consumers = 12;
    private static readonly List<object> s_kept = [];
    private static readonly Store s_store = new();

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("semaphore-leaked", stage => Leak(stage, isShared: false));
        scenes.Add("semaphore-shared", stage => Leak(stage, isShared: true));
        scenes.Add("semaphore-requests", stage => Crowd(stage, isBusy: false));
        scenes.Add("semaphore-busy", stage => Crowd(stage, isBusy: true));
        scenes.Add("semaphore-consumers", Idle);
    }

    /// <summary>
    /// A job has entered a semaphore and failed without a release; three more wait for it, and nobody else has it. Healthy twin: a list has it too, and who has
    /// the list may release it.
    /// </summary>
    private static void Leak(Stage stage, bool isShared)
    {
        // On a thread that ends, so that no stack has anything left of it.
        stage.Start("starting", () =>
        {
            SemaphoreSlim gate = new(1, 1);
            _ = RunJobAsync(gate, fails: true);
            for (int i = 0; i < 3; i++)
            {
                s_kept.Add(RunJobAsync(gate, fails: false));
            }

            if (isShared)
            {
                s_kept.Add(gate);
            }
        }).Join();
    }

    private static async Task RunJobAsync(SemaphoreSlim gate, bool fails)
    {
        await gate.WaitAsync().ConfigureAwait(false);
        if (fails)
        {
            throw new InvalidOperationException("on purpose, and without a release");
        }

        gate.Release();
    }

    /// <summary>
    /// Many requests wait for the semaphore of a service which one of them has left entered. Healthy twin: that one is still inside and takes its time.
    /// </summary>
    private static void Crowd(Stage stage, bool isBusy)
    {
        Task[] requests = [.. Enumerable.Range(0, Requests).Select(i => HandleAsync(s_store, leaves: i > 0, takesTime: isBusy && i == 0))];
        s_kept.AddRange(requests);
        stage.Until("the requests to wait", () => requests.Count(r => !r.IsCompleted) >= Requests - 1);
    }

    private static async Task HandleAsync(Store store, bool leaves, bool takesTime)
    {
        await store.ReadAsync(leaves, takesTime).ConfigureAwait(false);
        await Task.Yield();
    }

    /// <summary>Healthy: consumers wait for the signal of a queue that is empty.</summary>
    private static void Idle(Stage stage)
    {
        SemaphoreSlim items = new(0);
        s_kept.Add(items);
        s_kept.AddRange(Enumerable.Range(0, Consumers).Select(_ => ConsumeAsync(items)));
    }

    private static async Task ConsumeAsync(SemaphoreSlim items)
    {
        while (true)
        {
            await items.WaitAsync().ConfigureAwait(false);
        }
    }

    private sealed class Store
    {
        private readonly SemaphoreSlim _gate = new(1);

        public async Task ReadAsync(bool leaves, bool takesTime)
        {
            await _gate.WaitAsync().ConfigureAwait(false);
            if (takesTime)
            {
                await Task.Delay(TimeSpan.FromMinutes(10)).ConfigureAwait(false);
            }

            if (leaves)
            {
                _gate.Release();
            }
        }
    }
}
