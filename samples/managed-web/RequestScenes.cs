using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace Dump.Samples.Managed.Web;

/// <summary>
/// Requests in flight of a server with a client of its own for each: stuck in several places, none at all, and served all the time. Each prints what stands
/// where as <c>served COUNT METHOD ROUTE</c> and <c>sent COUNT METHOD</c>. Paths, queries and headers have a secret in them.
/// </summary>
internal static class RequestScenes
{
    private const string Secret = "planted-secret";
    private const int Clients = 8;
    private const int MostThreads = 32;
    private static readonly ConcurrentDictionary<string, int> s_entered = new(StringComparer.Ordinal);
    private static int s_aborted;

    /// <summary>All of them by name.</summary>
    public static IReadOnlyDictionary<string, Action> All { get; } = new Dictionary<string, Action>(StringComparer.Ordinal)
    {
        ["requests-stuck"] = Stuck,
        ["requests-idle"] = Idle,
        ["requests-busy"] = Busy,
        ["requests-database"] = DatabaseScene.Play,
    };

    private static void Stuck()
    {
        Stage stage = new();
        ThreadPool.SetMinThreads(MostThreads, MostThreads);
        using ActivityListener tracing = new()
        {
            ShouldListenTo = source => source.Name == "Microsoft.AspNetCore",
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
        };
        ActivitySource.AddActivityListener(tracing);
        using TcpListener silent = new(IPAddress.Loopback, 0);
        silent.Start();
        StuckServer server = new(stage, (IPEndPoint)silent.LocalEndpoint, Entered, () => Interlocked.Increment(ref s_aborted));
        List<TcpClient> clients = [];
        for (int i = 0; i < 5; i++)
        {
            clients.Add(Ask(server.Address, "POST", "/orders/"));
            clients.Add(Ask(server.Address, "GET", i < 4 ? "/quotes/" : "/unknown/"));
        }

        for (int i = 0; i < 3; i++)
        {
            clients.Add(Ask(server.Address, "GET", i < 2 ? "/reports/" : "/begun/"));
            clients.Add(Ask(server.Address, "DELETE", "/payments/"));
        }

        HttpClient second = new() { BaseAddress = server.SecondAddress, Timeout = Timeout.InfiniteTimeSpan };
        for (int i = 0; i < 2; i++)
        {
            using HttpRequestMessage message = new(HttpMethod.Put, $"/streams/{Secret}?token={Secret}")
            {
                Version = HttpVersion.Version20,
                VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            };
            stage.Keep(second.SendAsync(message));
        }

        stage.Until("the requests", () => s_entered.Values.Sum() == 18);
        clients[1].Close();
        stage.Until("the closed connection", () => Volatile.Read(ref s_aborted) == 1);
        stage.Keep(clients);
        foreach ((string request, int count) in s_entered.OrderBy(e => e.Key, StringComparer.Ordinal))
        {
            stage.Say(string.Create(CultureInfo.InvariantCulture, $"served {count} {request}"));
        }

        stage.Say("sent 3 GET");
        stage.Say("sent 2 PUT");
        Stand(stage);
        GC.KeepAlive(server);
    }

    /// <summary>A server whose clients have had their answers, and keep their connections.</summary>
    private static void Idle()
    {
        Stage stage = new();
        WebServer server = new();
        stage.Keep(Enumerable.Range(0, Clients).Select(_ => Answered(server.Address)).ToList());
        Stand(stage);
    }

    /// <summary>A server whose clients ask again and again.</summary>
    private static void Busy()
    {
        Stage stage = new();
        WebServer server = new();
        WebLoad load = new(server.Address, Clients);
        load.Begin(stage);
        stage.Say(string.Create(CultureInfo.InvariantCulture, $"clients {Clients}"));
        Stand(stage);
        stage.Keep(load);
    }

    private static void Stand(Stage stage)
    {
        stage.Ready();
        Thread.Sleep(TimeSpan.FromMinutes(10));
        Environment.Exit(0);
    }

    private static void Entered(string request) => s_entered.AddOrUpdate(request, 1, (_, count) => count + 1);

    /// <summary>Sends a request by a connection of its own, and does not wait for the answer.</summary>
    public static TcpClient Ask(Uri server, string method, string path)
    {
        TcpClient client = new();
        client.Connect(server.Host, server.Port);
        client.GetStream().Write(Encoding.ASCII.GetBytes(
            $"{method} {path}{Secret}?token={Secret} HTTP/1.1\r\nHost: shop\r\nX-Token: {Secret}\r\nContent-Length: 0\r\n\r\n"));
        return client;
    }

    private static TcpClient Answered(Uri server)
    {
        TcpClient client = new();
        client.Connect(server.Host, server.Port);
        client.GetStream().Write(Encoding.ASCII.GetBytes($"GET / HTTP/1.1\r\nHost: shop\r\nX-Token: {Secret}\r\n\r\n"));
        _ = client.GetStream().ReadByte();
        return client;
    }
}

/// <summary>A server whose requests get stuck in several places.</summary>
internal sealed class StuckServer
{
    private readonly Uri _payments;
    private readonly HttpClient _client = new() { Timeout = Timeout.InfiniteTimeSpan };
    private readonly ManualResetEventSlim _printed = new();
    private readonly OrderStore _orders;

    /// <summary>Starts it.</summary>
    /// <param name="stage">Keeps what must not be collected.</param>
    /// <param name="payments">A server that never answers.</param>
    /// <param name="entered">Called by each request, with its method and route.</param>
    /// <param name="aborted">Called for each request whose client goes away.</param>
    public StuckServer(Stage stage, IPEndPoint payments, Action<string> entered, Action aborted)
    {
        _payments = new Uri($"http://{payments}/charge/planted-secret?card=planted-secret");
        _orders = new OrderStore(stage);
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.Listen(IPAddress.Loopback, 0);
            kestrel.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2);
        });
        WebApplication server = builder.Build();
        server.MapPost("/orders/{id}", async (string id) =>
        {
            entered("POST /orders/{id}");
            await _orders.SaveAsync(id);
        });
        server.MapGet("/quotes/{id}", async (string id, HttpContext context) =>
        {
            entered("GET /quotes/{id}");
            context.RequestAborted.Register(aborted);
            return await new Quotes(stage).FindAsync(id);
        });
        server.MapPut("/streams/{id}", async (string id) =>
        {
            entered("PUT /streams/{id}");
            return await new Quotes(stage).FindAsync(id);
        });
        server.MapGet("/reports/{name}", (string name) =>
        {
            entered("GET /reports/{name}");
            return Print(name);
        });
        server.MapGet("/begun/{name}", async (string name) =>
        {
            await Task.Yield();
            entered("GET /begun/{name}");
            return Print(name);
        });
        server.MapDelete("/payments/{id}", async (string id) =>
        {
            entered("DELETE /payments/{id}");
            return await ChargeAsync(id);
        });
        server.MapFallback(async context =>
        {
            entered("GET {*path:nonfile}");
            await new Quotes(stage).FindAsync(context.Request.Path);
        });
        server.Start();
        Uri[] addresses = [.. server.Urls.Select(u => new Uri(u))];
        (Address, SecondAddress) = (addresses[0], addresses[1]);
    }

    /// <summary>Where it listens for HTTP/1.1.</summary>
    public Uri Address { get; }

    /// <summary>Where it listens for HTTP/2.</summary>
    public Uri SecondAddress { get; }

    private async Task<string> ChargeAsync(string payment)
    {
        string answer = await _client.GetStringAsync(_payments);
        return $"{payment}: {answer}";
    }

    /// <summary>Keeps its thread.</summary>
    private string Print(string report)
    {
        _printed.Wait();
        return report;
    }
}

/// <summary>A store that lets in one at a time.</summary>
internal sealed class OrderStore
{
    private readonly SemaphoreSlim _gate = new(0);

    /// <param name="stage">Keeps the gate.</param>
    public OrderStore(Stage stage) => stage.Keep(_gate);

    /// <summary>Waits for the gate.</summary>
    public async Task SaveAsync(string order)
    {
        await _gate.WaitAsync();
        _gate.Release();
        GC.KeepAlive(order);
    }
}

/// <summary>Answers that somebody else gives.</summary>
/// <param name="stage">Keeps the sources.</param>
internal sealed class Quotes(Stage stage)
{
    /// <summary>Waits for one.</summary>
    public async Task<string> FindAsync(string quote)
    {
        TaskCompletionSource<string> source = new();
        lock (stage)
        {
            stage.Keep(source);
        }

        return quote + await source.Task;
    }
}
