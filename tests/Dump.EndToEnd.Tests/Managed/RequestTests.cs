using System.Globalization;
using System.Runtime.Versioning;
using System.Text.Json;
using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Assistant;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>
/// <c>dumpanalyze requests</c> on servers of ASP.NET Core, living and as cores: what the scene itself says to be in flight, no more, and no string of a user.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class RequestTests : IDisposable
{
    private const string Secret = "planted-secret";
    private const string Web = "Dump.Samples.Managed.Web.";
    private const int BusyLooks = 3;
    private readonly LinuxLab _lab = new();

    [SkippableFact]
    public async Task Requests_are_counted_by_route_with_what_they_wait_for_and_without_strings_of_users()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = WebLab.StartHost("requests-stuck", rests: false);
        string id = $"{running.ProcessId}";
        FileInfo core = new(_lab.Dump(running, "requests-stuck").Path);
        foreach (string[] target in (string[][])[["requests", "live", id], ["requests", core.FullName]])
        {
            AssertIsStuck(running, DumpAnalyze.Run([.. target, "--format", "json"]), isLive: target.Length == 3);
            string text = DumpAnalyze.Run([.. target, "--all"]).Output;
            AssertText(text);
            Assert.Contains("HTTP/2, connection ", text, StringComparison.Ordinal);
            Assert.Contains("its client has closed the connection", text, StringComparison.Ordinal);
            Assert.DoesNotContain(Secret, text, StringComparison.Ordinal);
            Assert.DoesNotContain(Secret, DumpAnalyze.Run([.. target, "--all", "--format", "json"]).Output, StringComparison.Ordinal);
            Assert.DoesNotContain(Secret, DumpAnalyze.Run([.. target, "--all", "--format", "dml"]).Output, StringComparison.Ordinal);
            Assert.Contains($"path /orders/{Secret}?token={Secret}", DumpAnalyze.Run([.. target, "--show-values"]).Output, StringComparison.Ordinal);
            AssertVerdictHasThem(target[1..], Path.Combine(core.DirectoryName!, "verdict.html"));
        }

        LiveLook.AssertGoesOn(running);
        await using AssistantServer server = await AssistantServer.StartAsync(core.DirectoryName!);
        Assert.Equal(
            DumpAnalyze.Run("requests", core.FullName).Output, AssistantServer.Document(await server.CallAsync("requests", ("path", core.Name))));
    }

    [SkippableFact]
    public void Idle_server_serves_no_request()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = WebLab.StartHost("requests-idle");
        DumpAnalyze look = DumpAnalyze.Run("requests", "live", $"{running.ProcessId}");
        Assert.Equal(0, look.ExitCode);
        Assert.Contains("\nNo request to this server is in flight.", look.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("Requests in flight", DumpAnalyze.Run("live", $"{running.ProcessId}").Output, StringComparison.Ordinal);
    }

    /// <summary>A server at work: each client has one request at most, and none is listed twice.</summary>
    [SkippableFact]
    public void Busy_server_has_each_request_once()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = WebLab.StartHost("requests-busy", rests: false);
        int clients = int.Parse(running.Lines.Single(l => l.StartsWith("clients ", StringComparison.Ordinal)).Split(' ')[1], CultureInfo.InvariantCulture);
        for (int look = 0; look < BusyLooks; look++)
        {
            JsonElement document = Document(DumpAnalyze.Run("requests", "live", $"{running.ProcessId}", "--all", "--format", "json"));
            foreach (IGrouping<string, JsonElement> kind in document.Member("groups").EnumerateArray().GroupBy(g => g.Member("kind").GetString()!))
            {
                string[] requests = [.. kind.SelectMany(g => g.Member("requests").EnumerateArray()).Select(r => r.Member("address").GetString()!)];
                Assert.Equal(requests.Distinct(), requests);
                Assert.InRange(requests.Length, 1, clients);
                Assert.Equal(requests.Length, kind.Sum(g => g.Member("count").GetInt64()));
            }
        }

        LiveLook.AssertGoesOn(running);
    }

    /// <summary>Commands that wait for a lock of a real PostgreSQL, awaited and on a thread; the text of a command may have literals in it.</summary>
    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Commands_of_a_database_are_listed_without_their_text()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        Skip.If(PostgresServer.Unavailable is not null, PostgresServer.Unavailable);
        using PostgresServer database = new();
        using LiveScene running = WebLab.StartHost(
            "requests-database", rests: false, ("SAMPLE_DATABASE", $"Host={database.Host};Username=triage;Database=postgres"));
        foreach (string[] target in (string[][])[["live", $"{running.ProcessId}"], [_lab.Dump(running, "requests-database").Path]])
        {
            string text = DumpAnalyze.Run(["requests", .. target, "--all"]).Output;
            string place = $"{Regex.Escape(database.Host)}:5432/postgres", line = @"DatabaseScene\.cs:~?\d+";
            Assert.Matches($@"\b3 requests GET /stock/\{{id\}} wait in {Regex.Escape(Web)}Stock\.CountAsync {line} for the answer of {place}", text);
            Assert.Matches($@"\b1 request GET /stock-now/\{{id\}} blocks thread \d+ .* in {Regex.Escape(Web)}Stock\.Count {line} for the answer of {place} 0x", text);
            Assert.Matches($@"\b3 database commands to {place} from {Regex.Escape(Web)}Stock\.CountAsync {line} wait for a socket", text);
            Assert.Matches($@"\b1 database command to {place} blocks thread \d+ .* from {Regex.Escape(Web)}Stock\.Count {line}", text);
            Assert.DoesNotContain(Secret, text, StringComparison.Ordinal);
            Assert.Contains($"name = '{Secret}'", DumpAnalyze.Run(["requests", .. target, "--show-values"]).Output, StringComparison.Ordinal);
        }

        LiveLook.AssertGoesOn(running);
    }

    [SkippableFact]
    public void Program_without_a_server_says_so_in_one_line()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        DumpAnalyze run = DumpAnalyze.Run("requests", _lab.Dump("idle").Path);
        Assert.Equal(0, run.ExitCode);
        Assert.EndsWith(
            "\n\nThis process serves no requests: the server of ASP.NET Core (Kestrel) is not loaded.\n", run.Output, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Core_without_heap_says_what_to_capture()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        DumpAnalyze run = DumpAnalyze.Run("requests", _lab.DumpAnew("idle", "normal").Path);
        Assert.Equal(13, run.ExitCode);
        Assert.Contains("Capture: ", run.Output, StringComparison.Ordinal);
    }

    public void Dispose() => _lab.Dispose();

    /// <summary>The counts are those that the scene has printed.</summary>
    private static void AssertIsStuck(LiveScene scene, DumpAnalyze run, bool isLive)
    {
        Assert.Equal(0, run.ExitCode);
        Assert.Empty(JsonSchemaCheck.Errors(run.Output));
        JsonElement[] groups = [.. Document(run).Member("groups").EnumerateArray()];
        string[] found =
        [
            .. groups.Select(g => g.Member("kind").GetString() == "Served"
                ? $"served {g.Member("count").GetInt64()} {g.Member("method").GetString()} {g.Member("route").GetString()}"
                : $"sent {g.Member("count").GetInt64()} {g.Member("method").GetString()}"),
        ];
        Assert.Equal(
            scene.Lines.Where(l => l.StartsWith("served ", StringComparison.Ordinal) || l.StartsWith("sent ", StringComparison.Ordinal)).Order(StringComparer.Ordinal),
            found.Order(StringComparer.Ordinal));
        Assert.Equal(1, groups.Sum(g => g.Member("clientsGone").GetInt64()));

        // createdump does not record when it writes.
        Assert.All(groups.Where(g => g.Member("kind").GetString() == "Served"), g =>
        {
            Assert.NotNull(g.Member("oldest").GetString());
            Assert.Equal(isLive ? JsonValueKind.Number : JsonValueKind.Null, g.Member("oldestMilliseconds").ValueKind);
        });
    }

    /// <summary>A verdict has the same groups in every format, and no string of a user.</summary>
    private static void AssertVerdictHasThem(string[] target, string html)
    {
        string json = DumpAnalyze.Run([.. target, "--format", "json"]).Output, text = DumpAnalyze.Run([.. target, "--html", html]).Output, page = File.ReadAllText(html);
        JsonElement[] groups = [.. JsonDocument.Parse(DumpAnalyze.Run(["requests", .. target, "--format", "json"]).Output).RootElement.Member("groups").EnumerateArray()];
        Assert.Equal(groups.Select(Key), JsonDocument.Parse(json).RootElement.Member("requests").EnumerateArray().Select(Key));
        AssertText(text);
        Assert.InRange(text.Split('\n').SkipWhile(l => l != "Requests in flight").TakeWhile(l => l.Length > 0).Count(), 2, 10);
        Assert.Contains("Requests in flight", page, StringComparison.Ordinal);
        Assert.All([json, text, page], output => Assert.DoesNotContain(Secret, output, StringComparison.Ordinal));

        static string Key(JsonElement group) =>
            $"{group.Member("kind").GetString()} {group.Member("count").GetInt64()} {group.Member("method").GetString()} {group.Member("route").GetString()} {group.Member("waitsIn").GetString()}";
    }

    private static void AssertText(string text)
    {
        const string Line = @"RequestScenes\.cs:~?\d+";
        Assert.Matches($@"\b5 requests POST /orders/\{{id\}} wait in {Regex.Escape(Web)}OrderStore\.SaveAsync {Line} for SemaphoreSlim 0x[0-9a-f]+ \(count 0, 5 waiters\), the oldest (for|since) ", text);
        Assert.Matches($@"\b4 requests GET /quotes/\{{id\}} wait in {Regex.Escape(Web)}Quotes\.FindAsync {Line} for TaskCompletionSource<String> \(4 different\)", text);
        Assert.Matches($@"\b3 requests DELETE /payments/\{{id\}} wait in {Regex.Escape(Web)}StuckServer\.ChargeAsync {Line} for the answer of 127\.0\.0\.1:\d+ to GET", text);
        Assert.Matches($@"\b2 requests GET /reports/\{{name\}} block thread \d+ .* in {Regex.Escape(Web)}StuckServer\.Print {Line} for ManualResetEventSlim 0x", text);
        Assert.Matches($@"\b1 request GET /begun/\{{name\}} blocks thread \d+ .* in {Regex.Escape(Web)}StuckServer\.Print {Line} for ManualResetEventSlim 0x", text);
        Assert.Matches($@"\b3 outgoing requests GET to 127\.0\.0\.1:\d+ from {Regex.Escape(Web)}StuckServer\.ChargeAsync {Line} wait for a socket", text);
    }

    private static JsonElement Document(DumpAnalyze run) => JsonDocument.Parse(run.Output).RootElement;
}
