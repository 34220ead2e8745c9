namespace Dump.Samples.Managed.Web;

/// <summary>Clients that ask a server for one page after the other.</summary>
internal sealed class WebLoad
{
    // A server that does nothing else all the time would be looked at while its lock is busy.
    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(100);
    private readonly HttpClient _client;
    private readonly long[] _answers;

    /// <param name="server">The server's address.</param>
    /// <param name="clients">How many ask at the same time.</param>
    public WebLoad(Uri server, int clients)
    {
        _client = new HttpClient { BaseAddress = server, Timeout = Timeout.InfiniteTimeSpan };
        _answers = new long[clients];
    }

    /// <summary>Begins, and waits until each client has seen each page.</summary>
    public void Begin(Stage stage)
    {
        for (int i = 0; i < _answers.Length; i++)
        {
            int client = i;
            _ = Task.Run(() => AskAsync(client));
        }

        WaitFor(stage, WebServer.Pages.Count);
    }

    /// <summary>Waits until the server answers each client again beside the scene, or cannot, since every worker that the pool may have is taken.</summary>
    public void GoOn(Stage stage) => WaitFor(stage, 2);

    private void WaitFor(Stage stage, int answers)
    {
        long[] goals = [.. _answers.Select((_, i) => Volatile.Read(ref _answers[i]) + answers)];
        stage.Until("pages", () =>
        {
            ThreadPool.GetAvailableThreads(out int workers, out _);
            return workers == 0 || goals.Select((goal, i) => Volatile.Read(ref _answers[i]) >= goal).All(isReached => isReached);
        });
    }

    private async Task AskAsync(int client)
    {
        for (int i = client; ; i++)
        {
            await _client.GetStringAsync(WebServer.Pages[i % WebServer.Pages.Count]);
            _ = Interlocked.Increment(ref _answers[client]);
            await Task.Delay(s_pause);
        }
    }
}
