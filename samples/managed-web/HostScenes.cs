using Microsoft.Extensions.Hosting;

namespace Dump.Samples.Managed.Web;

/// <summary>Hosts that do not finish starting or stopping, their healthy twins, and requests that all wait at one gate. Each needs a host of its own.</summary>
internal static class HostScenes
{
    private const int Requests = 30;
    private const int Places = 4;
    private static readonly TaskCompletionSource s_never = new();
    private static volatile bool s_blocks;

    /// <summary>All of them by name; each prints that it stands, and does not return while it does.</summary>
    public static IReadOnlyDictionary<string, Action> All { get; } = new Dictionary<string, Action>(StringComparer.Ordinal)
    {
        ["host-start-never"] = () => Run(Service(start: () => s_never.Task), ends: false),
        ["host-start-waits"] = () => Run(Service(start: AskForEver), ends: false),
        ["host-start-socket"] = () => Run(Service(start: ReceiveForEver), ends: false),
        ["host-start-blocks"] = () => Run(Service(start: BlockForEver), ends: false),
        ["host-start-sleeps"] = () => Run(Service(start: SleepForEver), ends: false),
        ["host-stop-never"] = () => Run(Service(stop: () => s_never.Task), ends: true),
        ["host-runs"] = () => Run(Service(), ends: false),
        ["gate-lost"] = () => Gate(isLost: true),
        ["gate-busy"] = () => Gate(isLost: false),
    };

    private static HostedService Service(Func<Task>? start = null, Func<Task>? stop = null) =>
        new(start ?? (() => Task.CompletedTask), stop ?? (() => Task.CompletedTask));

    private static void Run(HostedService service, bool ends)
    {
        Stage stage = new();
        HostApplicationBuilder builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());
        builder.Services.AddHostedService(_ => service);
        IHost host = builder.Build();
        Thread main = Thread.CurrentThread;
        _ = new Timer(_ => Environment.Exit(0), null, TimeSpan.FromMinutes(10), Timeout.InfiniteTimeSpan);
        new Thread(() =>
        {
            stage.Until("the service to be started", () => service.HasStarted || s_blocks);
            stage.UntilBlocked(main);
            if (ends)
            {
                host.Services.GetRequiredService<IHostApplicationLifetime>().StopApplication();
                stage.Until("the service to be stopped", () => service.IsStopping);
            }

            stage.Ready();
        }) { IsBackground = true }.Start();
        host.Run();
    }

    /// <summary>Asks for something again and again, until it is there.</summary>
    private static async Task AskForEver()
    {
        while (!s_never.Task.IsCompleted)
        {
            await Task.Delay(TimeSpan.FromSeconds(20));
        }
    }

    /// <summary>Keeps the thread that starts the host.</summary>
    private static Task BlockForEver()
    {
        using ManualResetEventSlim never = new();
        s_blocks = true;
        never.Wait();
        return Task.CompletedTask;
    }

    /// <summary>The same, but it asks again and again whether something is there.</summary>
    private static Task SleepForEver()
    {
        s_blocks = true;
        while (!s_never.Task.IsCompleted)
        {
            Thread.Sleep(TimeSpan.FromSeconds(20));
        }

        return Task.CompletedTask;
    }

    /// <summary>Waits for the first word of a server that says nothing.</summary>
    private static async Task ReceiveForEver()
    {
        System.Net.Sockets.TcpListener listener = new(System.Net.IPAddress.Loopback, 0);
        listener.Start();
        using System.Net.Sockets.TcpClient client = new();
        await client.ConnectAsync((System.Net.IPEndPoint)listener.LocalEndpoint);
        _ = await client.GetStream().ReadAsync(new byte[1]);
    }

    /// <summary>Requests that a semaphore lets in a few at a time; those that were in did not release it, or do so soon.</summary>
    private static void Gate(bool isLost)
    {
        Stage stage = new();
        SemaphoreSlim gate = new(Places);
        stage.Keep(gate);
        int waiting = 0, served = 0;
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        WebApplication server = builder.Build();
        server.Urls.Add("http://127.0.0.1:0");
        server.MapGet("/lost", async () =>
        {
            await gate.WaitAsync();
            return "entered";
        });
        server.MapGet("/work", async () =>
        {
            Task entered = gate.WaitAsync();
            _ = Interlocked.Increment(ref waiting);
            await entered;
            try
            {
                await Task.Delay(20);
                return Interlocked.Increment(ref served);
            }
            finally
            {
                gate.Release();
            }
        });
        server.Start();
        HttpClient client = new() { BaseAddress = new Uri(server.Urls.Single()), Timeout = Timeout.InfiniteTimeSpan };
        for (int i = 0; i < Places && isLost; i++)
        {
            _ = client.GetStringAsync("/lost").GetAwaiter().GetResult();
        }

        for (int i = 0; i < Requests; i++)
        {
            _ = Task.Run(async () =>
            {
                do
                {
                    _ = await client.GetStringAsync("/work");
                }
                while (!isLost);
            });
        }

        stage.Until("the requests", () => isLost ? Volatile.Read(ref waiting) == Requests : Volatile.Read(ref served) > Requests);
        stage.Ready();
        Thread.Sleep(TimeSpan.FromMinutes(10));
        Environment.Exit(0);
    }

    private sealed class HostedService(Func<Task> start, Func<Task> stop) : IHostedService
    {
        private volatile bool _hasStarted;
        private volatile bool _isStopping;

        public bool HasStarted => _hasStarted;

        public bool IsStopping => _isStopping;

        public async Task StartAsync(CancellationToken cancellation)
        {
            Task started = start();
            _hasStarted = true;
            await started;
        }

        public async Task StopAsync(CancellationToken cancellation)
        {
            Task stopped = stop();
            _isStopping = true;
            await stopped;
        }
    }
}
