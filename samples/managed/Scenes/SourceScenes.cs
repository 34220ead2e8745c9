namespace Dump.Samples.Managed.Scenes;

/// <summary>Async methods that all await the task of one completion source.</summary>
internal static class SourceScenes
{
    private const int Requests = 200;
    private static readonly List<object> s_kept = [];
    private static readonly Catalog s_catalog = new();
    private static readonly CancellationTokenSource s_stopping = new();

    public static void AddTo(Dictionary<string, Action<Stage>> scenes)
    {
        scenes.Add("source-requests", stage => Crowd(stage, s_catalog));
        scenes.Add("source-listeners", stage =>
        {
            Catalog told = new();
            s_kept.Add(s_stopping.Token.Register(() => told.Ready.TrySetResult(true)));
            Crowd(stage, told);
        });
    }

    /// <summary>
    /// Many requests wait for a catalog to be loaded, whose loader has failed and told nobody. Healthy twin: they listen for the end of the program.
    /// </summary>
    private static void Crowd(Stage stage, Catalog catalog)
    {
        Task[] requests = [.. Enumerable.Range(0, Requests).Select(_ => HandleAsync(catalog))];
        s_kept.AddRange(requests);
        stage.Until("the requests to wait", () => requests.All(r => !r.IsCompleted));
    }

    private static async Task HandleAsync(Catalog catalog)
    {
        await catalog.ReadyAsync().ConfigureAwait(false);
        await Task.Yield();
    }

    private sealed class Catalog
    {
        public TaskCompletionSource<bool> Ready { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public async Task ReadyAsync()
        {
            await Ready.Task.ConfigureAwait(false);
            await Task.Yield();
        }
    }
}
