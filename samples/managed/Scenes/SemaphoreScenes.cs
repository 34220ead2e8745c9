namespace Dump.Samples.Managed.Scenes;

/// <summary>Async methods that wait for a semaphore which nobody releases, or not yet.</summary>
internal static class SemaphoreScenes
{
    private const int Requests = 200;
    private const int Consumers = 12;
    private static readonly List<object> s_kept = [];
    private static readonly Store s_store = new();
    private static readonly Store s_other = new();
    private static readonly TaskCompletionSource<bool> s_bothHold = new();

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("semaphore-leaked", stage => Leak(stage, isShared: false));
        scenes.Add("semaphore-shared", stage => Leak(stage, isShared: true));
        scenes.Add("semaphore-requests", stage => Crowd(stage, isBusy: false));
        scenes.Add("semaphore-busy", stage => Crowd(stage, isBusy: true));
        scenes.Add("semaphore-consumers", Idle);
        scenes.Add("semaphore-reentered", _ => Begin(s_store.AddAsync(readsAgain: true)));
        scenes.Add("semaphore-held", _ => Begin(s_store.AddAsync(readsAgain: false), s_store.TotalAsync()));
        scenes.Add("semaphore-crossed", _ => Begin(s_store.MoveAsync(s_other), s_other.MoveAsync(s_store)));
        scenes.Add("semaphore-chain", _ => Begin(s_other.AddAsync(readsAgain: false), s_store.MoveAsync(s_other)));
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

    /// <summary>
    /// A flow takes the semaphore of a store that it holds (reentered), or two flows take those of two stores in opposite order (crossed). Healthy twins: the holder takes
    /// its time (held), also while another holds what a third one wants (chain).
    /// </summary>
    private static void Begin(params Task[] flows)
    {
        s_kept.AddRange(flows);

        // Both hold their first semaphore. Each goes on here until it waits, so that all stand still when this returns.
        s_bothHold.SetResult(true);
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

        public async Task MoveAsync(Store to)
        {
            await _gate.WaitAsync().ConfigureAwait(false);
            try
            {
                await s_bothHold.Task.ConfigureAwait(false);
                await to.TotalAsync().ConfigureAwait(false);
            }
            finally
            {
                _gate.Release();
            }
        }

        public async Task AddAsync(bool readsAgain)
        {
            await _gate.WaitAsync().ConfigureAwait(false);
            try
            {
                if (readsAgain)
                {
                    await TotalAsync().ConfigureAwait(false);
                }
                else
                {
                    await Task.Delay(TimeSpan.FromMinutes(10)).ConfigureAwait(false);
                }
            }
            finally
            {
                _gate.Release();
            }
        }

        public async Task TotalAsync()
        {
            await _gate.WaitAsync().ConfigureAwait(false);
            try
            {
                await Task.Yield();
            }
            finally
            {
                _gate.Release();
            }
        }

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
