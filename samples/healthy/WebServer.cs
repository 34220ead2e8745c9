namespace Dump.Samples.Healthy;

/// <summary>ASP.NET Core with the handlers that busy servers have: at once, after a delay, under a lock, and a task that a worker blocks on.</summary>
internal static class WebServer
{
    private static readonly Lock s_gate = new();
    private static long s_served;

    public static async Task RunAsync(string port)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        WebApplication server = builder.Build();
        server.Urls.Add($"http://127.0.0.1:{port}");
        server.MapGet("/", () => "hello");
        server.MapGet("/wait", async () =>
        {
            await Task.Delay(20).ConfigureAwait(false);
            return "waited";
        });
        server.MapGet("/lock", () =>
        {
            lock (s_gate)
            {
                Thread.SpinWait(20_000);
                return ++s_served;
            }
        });
        server.MapGet("/blocking", () => DelayedAsync().GetAwaiter().GetResult());
        await server.StartAsync().ConfigureAwait(false);
        Console.WriteLine("ready");
        await server.WaitForShutdownAsync().ConfigureAwait(false);
    }

    private static async Task<int> DelayedAsync()
    {
        await Task.Delay(5).ConfigureAwait(false);
        return 5;
    }
}
