namespace Dump.Samples.Managed.Web;

/// <summary>A stage whose threads are the pool's workers, each for as long as it serves a request.</summary>
/// <param name="server">Whom the requests are sent to.</param>
internal sealed class RequestStage(WebServer server) : Stage
{
    // An answer may never come.
    private readonly HttpClient _client = new() { BaseAddress = server.Address, Timeout = Timeout.InfiniteTimeSpan };

    /// <summary>Has a request play the scene, and waits until it stands.</summary>
    /// <param name="scene">The scene. One that does not return says itself that it stands.</param>
    public void Play(Action<Stage> scene)
    {
        // Not the answer: a scene may leave no worker to receive it.
        using ManualResetEventSlim stands = new();
        Request(() =>
        {
            try
            {
                scene(this);
            }
            catch (Exception error)
            {
                Console.WriteLine($"failed: {error}");
                Environment.Exit(1);
            }

            stands.Set();
        });
        stands.Wait();
    }

    /// <summary>Has a request run the body; gives the worker that serves it.</summary>
    public override Thread Start(string role, Action body)
    {
        using ManualResetEventSlim running = new();
        Thread? worker = null;
        Request(() =>
        {
            Role(role);
            worker = Thread.CurrentThread;
            running.Set();
            body();
        });
        running.Wait();
        return worker!;
    }

    private void Request(Action work) => _ = _client.GetAsync(server.PathOf(work));
}
