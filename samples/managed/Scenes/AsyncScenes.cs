namespace Dump.Samples.Managed.Scenes;

/// <summary>Async methods that are pending, each for a reason of its own.</summary>
internal static class AsyncScenes
{
    private const int Requests = 10_000;
    private static readonly List<object> s_kept = [];

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("async-pending", Pending);
        scenes.Add("async-healthy", Healthy);
        scenes.Add("async-held", stage => stage.UntilBlocked(stage.Start("holds", HoldSource)));
        scenes.Add("async-cycle", stage => Rings(stage, isClosed: true));
        scenes.Add("async-ring", stage => Rings(stage, isClosed: false));
    }

    /// <summary>
    /// 10,000 requests wait for one semaphore that nobody leaves; others wait for what never comes, have failed unseen, are lost, or keep a thread.
    /// </summary>
    private static void Pending(Stage stage)
    {
        SemaphoreSlim gate = new(0);
        for (int i = 0; i < Requests; i++)
        {
            s_kept.Add(HandleRequestAsync(gate));
        }

        TaskCompletionSource<int> answer = new();
        s_kept.Add(answer);
        s_kept.Add(AwaitAnswerAsync(answer.Task));
        s_kept.Add(DelayedAsync());
        s_kept.Add(Task.WhenAll(DelayedAsync(), DelayedAsync(), AwaitAnswerAsync(answer.Task)));
        s_kept.Add(FailAsync());
        s_kept.Add(Unseen(FailAsync()));
        s_kept.Add(Abandoned(stage));
        s_kept.Add(Dropped(stage));
        s_kept.Add(Circle());
        Thread blocked = stage.Start("blocked", () => AwaitAnswerAsync(answer.Task).GetAwaiter().GetResult());
        stage.UntilBlocked(blocked);
        stage.Until("the requests to wait", () => s_kept.OfType<Task>().Take(Requests).All(t => !t.IsCompleted));
    }

    /// <summary>Tasks that have all completed, a loop with a timer, and a queue that waits for work.</summary>
    private static void Healthy(Stage stage)
    {
        using SemaphoreSlim gate = new(1);
        Task[] requests = [.. Enumerable.Range(0, 100).Select(_ => HandleAndLeaveAsync(gate))];
        Task.WhenAll(requests).Wait();
        s_kept.AddRange(requests);
        s_kept.Add(LoopAsync());
        s_kept.Add(Unseen(FailAsync()));
    }

    private static async Task HandleRequestAsync(SemaphoreSlim gate)
    {
        await ReadStoreAsync(gate).ConfigureAwait(false);
        Console.WriteLine("done");
    }

    private static async Task<int> ReadStoreAsync(SemaphoreSlim gate)
    {
        await Task.CompletedTask.ConfigureAwait(false);
        await gate.WaitAsync().ConfigureAwait(false);
        return 1;
    }

    private static async Task HandleAndLeaveAsync(SemaphoreSlim gate)
    {
        await ReadStoreAsync(gate).ConfigureAwait(false);
        await Task.Yield();
        gate.Release();
    }

    private static async Task<int> AwaitAnswerAsync(Task<int> answer) => await answer.ConfigureAwait(false);

    private static async Task DelayedAsync() => await Task.Delay(TimeSpan.FromHours(1)).ConfigureAwait(false);

    private static async Task LoopAsync()
    {
        while (true)
        {
            await Task.Delay(20).ConfigureAwait(false);
        }
    }

    private static async Task FailAsync()
    {
        await Task.Yield();
        throw new InvalidOperationException("on purpose");
    }

    private static async Task Unseen(Task failing)
    {
        try
        {
            await failing.ConfigureAwait(false);
        }
        catch (InvalidOperationException)
        {
            // Seen here.
        }
    }

    /// <summary>Nobody has the source any more by which the awaited task would be completed.</summary>
    private static Task Abandoned(Stage stage)
    {
        // On a thread that ends, so that no stack has anything left of it.
        Task? abandoned = null;
        stage.Start("abandoning", () => abandoned = AwaitAbandonedAsync(new TaskCompletionSource<string>().Task)).Join();
        return abandoned!;
    }

    private static async Task AwaitAbandonedAsync(Task<string> task) => await task.ConfigureAwait(false);

    /// <summary>Healthy: a thread completes the awaited task some time, and only its stack has the source until then.</summary>
    private static void HoldSource()
    {
        TaskCompletionSource<string> source = new();
        s_kept.Add(AwaitAbandonedAsync(source.Task));
        Thread.Sleep(TimeSpan.FromMinutes(10));
        source.SetResult("");
    }

    /// <summary>Its context takes what is to go on and drops it.</summary>
    private static Task Dropped(Stage stage)
    {
        TaskCompletionSource<int> source = new();
        Task? dropped = null;
        Thread thread = stage.Start("dropping", () =>
        {
            SynchronizationContext.SetSynchronizationContext(new DroppingContext());
            dropped = AwaitInContextAsync(source.Task);
            SynchronizationContext.SetSynchronizationContext(null);
            source.SetResult(1);
        });
        thread.Join();
        return dropped!;
    }

    private static async Task AwaitInContextAsync(Task<int> task) => await task;

    private static object Circle()
    {
        Task[] two = new Task[2];
        TaskCompletionSource<int> begin = new();
        two[0] = AwaitOtherAsync(begin.Task, two, 1);
        two[1] = AwaitOtherAsync(begin.Task, two, 0);
        begin.SetResult(0);
        return two;
    }

    private static async Task AwaitOtherAsync(Task begin, Task[] tasks, int other)
    {
        await begin.ConfigureAwait(false);
        await tasks[other].ConfigureAwait(false);
    }

    /// <summary>
    /// Three orders and their invoices each await the other, the invoice together with a delay, and a fourth method all of the orders. Healthy twin: the
    /// invoice waits for no longer than an hour.
    /// </summary>
    private static void Rings(Stage stage, bool isClosed)
    {
        TaskCompletionSource<int> begin = new();
        List<Task> orders = [];
        for (int i = 0; i < 3; i++)
        {
            Task[] two = new Task[2];
            two[0] = PlaceOrderAsync(begin.Task, two);
            two[1] = isClosed ? WriteInvoiceAsync(begin.Task, two) : WriteInvoiceInTimeAsync(begin.Task, two);
            orders.Add(two[0]);
        }

        s_kept.Add(ShipAsync(orders));
        begin.SetResult(0);
        stage.Until("the orders to wait", () => orders.TrueForAll(o => !o.IsCompleted));
    }

    private static async Task PlaceOrderAsync(Task begin, Task[] tasks)
    {
        await begin.ConfigureAwait(false);
        await tasks[1].ConfigureAwait(false);
    }

    private static async Task WriteInvoiceAsync(Task begin, Task[] tasks)
    {
        await begin.ConfigureAwait(false);
        await Task.WhenAll(tasks[0], DelayedAsync()).ConfigureAwait(false);
    }

    private static async Task WriteInvoiceInTimeAsync(Task begin, Task[] tasks)
    {
        await begin.ConfigureAwait(false);
        await Task.WhenAny(tasks[0], Task.Delay(TimeSpan.FromHours(1))).ConfigureAwait(false);
    }

    private static async Task ShipAsync(List<Task> orders) => await Task.WhenAll(orders).ConfigureAwait(false);

    private sealed class DroppingContext : SynchronizationContext
    {
        public override void Post(SendOrPostCallback d, object? state)
        {
            // Dropped on purpose.
        }
    }
}
