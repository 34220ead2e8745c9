using System.Collections.Concurrent;
using System.Globalization;

namespace Dump.Samples.Managed.Web;

/// <summary>ASP.NET Core on a free port of this machine, with pages as busy servers have them, and one that runs what it is given.</summary>
internal sealed class WebServer
{
    private readonly object _gate = new();
    private readonly ConcurrentDictionary<int, Action> _work = new();
    private long _visits;
    private int _paths;

    /// <summary>Starts it.</summary>
    public WebServer()
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        WebApplication server = builder.Build();
        server.Urls.Add("http://127.0.0.1:0");
        server.MapGet("/", () => "hello");
        server.MapGet("/delay", async () =>
        {
            await Task.Delay(20);
            return "delayed";
        });
        server.MapGet("/visits", Visit);
        server.MapGet("/orders", () => Enumerable.Range(1, 20).Select(i => new { Id = i, Name = $"order {i}", Price = i * 1.5m }));
        server.MapGet("/work/{number}", Work);
        server.Start();
        Address = new Uri(server.Urls.Single());
    }

    /// <summary>Its pages that are answered soon.</summary>
    public static IReadOnlyList<string> Pages { get; } = ["/", "/delay", "/visits", "/orders"];

    /// <summary>Where it listens.</summary>
    public Uri Address { get; }

    /// <summary>The path whose next request runs the work and answers after it.</summary>
    /// <param name="work">The work.</param>
    public string PathOf(Action work)
    {
        int number = Interlocked.Increment(ref _paths);
        _work[number] = work;
        return $"/work/{number.ToString(CultureInfo.InvariantCulture)}";
    }

    /// <summary>Under a lock that is held for a moment.</summary>
    private string Visit()
    {
        lock (_gate)
        {
            _visits++;
        }

        return "visited";
    }

    private string Work(int number)
    {
        if (!_work.TryRemove(number, out Action? work))
        {
            return "nothing";
        }

        work();
        return "done";
    }
}
