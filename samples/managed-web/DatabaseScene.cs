using Npgsql;

namespace Dump.Samples.Managed.Web;

/// <summary>
/// Requests that ask PostgreSQL for a table which another connection has locked: three await the answer, one waits for it on its thread. The environment
/// variable <c>SAMPLE_DATABASE</c> says where the server is, as Npgsql takes it.
/// </summary>
internal static class DatabaseScene
{
    private const int Awaiting = 3;

    /// <summary>Plays it.</summary>
    public static void Play()
    {
        Stage stage = new();
        using var source = NpgsqlDataSource.Create(Environment.GetEnvironmentVariable("SAMPLE_DATABASE") ?? "");
        using NpgsqlConnection holder = source.OpenConnection();
        Run(holder, "CREATE TABLE stock (name text, count bigint)");
        Run(holder, "BEGIN; LOCK TABLE stock");
        Stock stock = new(source);
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        WebApplication server = builder.Build();
        server.Urls.Add("http://127.0.0.1:0");
        server.MapGet("/stock/{id}", async (string id) => await stock.CountAsync());
        server.MapGet("/stock-now/{id}", (string id) => stock.Count());
        server.Start();
        Uri address = new(server.Urls.Single());
        stage.Keep(Enumerable.Range(0, Awaiting).Select(_ => RequestScenes.Ask(address, "GET", "/stock/")).Append(RequestScenes.Ask(address, "GET", "/stock-now/")).ToList());
        stage.Until("the commands", () => Waiting(holder) == Awaiting + 1);
        stage.Ready();
        Thread.Sleep(TimeSpan.FromMinutes(10));
        Environment.Exit(0);
    }

    private static void Run(NpgsqlConnection connection, string statement)
    {
        using NpgsqlCommand command = new(statement, connection);
        command.ExecuteNonQuery();
    }

    private static long Waiting(NpgsqlConnection connection)
    {
        using NpgsqlCommand command = new("SELECT count(*) FROM pg_locks WHERE NOT granted", connection);
        return (long)command.ExecuteScalar()!;
    }
}

/// <summary>What a table has.</summary>
/// <param name="source">The database.</param>
internal sealed class Stock(NpgsqlDataSource source)
{
    private const string Statement = "SELECT count FROM stock WHERE name = 'planted-secret'";

    /// <summary>Awaits the answer.</summary>
    public async Task<long> CountAsync()
    {
        await using NpgsqlCommand command = source.CreateCommand(Statement);
        return (long)(await command.ExecuteScalarAsync() ?? 0L);
    }

    /// <summary>Waits for the answer.</summary>
    public long Count()
    {
        using NpgsqlCommand command = source.CreateCommand(Statement);
        return (long)(command.ExecuteScalar() ?? 0L);
    }
}
