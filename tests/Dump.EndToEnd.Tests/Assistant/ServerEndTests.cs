using System.Diagnostics;
using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Fixtures;

namespace Dump.EndToEnd.Tests.Assistant;

/// <summary>
/// A server ends with its standard input and by a signal, analyses end with it and with their requests, and only the protocol is on standard output.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class ServerEndTests : IDisposable
{
    private const string Hello = """
        {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
        {"jsonrpc":"2.0","method":"notifications/initialized"}
        """;

    private const string Endless = """
        {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"triage_overview","arguments":{"path":"endless"}}}
        """;

    private const string HookVariable = "DOTNET_STARTUP_HOOKS";

    // Only so that a server that never ends fails a test instead of holding it up.
    private static readonly TimeSpan s_patience = TimeSpan.FromMinutes(5);
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dump-assistant-");

    public ServerEndTests()
    {
        // The hook stands still in the process that reads it.
        _folder.CreateSubdirectory("endless").CreateSubdirectory("records");
        File.Copy(Fixture.Named("cs-cycle2").Path, Path.Combine(_folder.FullName, "hang.dmp"));
    }

    [SkippableFact]
    public async Task A_cancelled_request_ends_its_analysis_and_nothing_else()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "finds processes by /proc");
        await using AssistantServer server = await AssistantServer.StartBuildAsync(
            _folder.FullName, (HookVariable, typeof(StartupHook).Assembly.Location), "--timeout", "24h");
        using CancellationTokenSource stop = new();
        Dictionary<string, object?> question = new() { ["path"] = "endless" };
        Task call = server.Client.CallToolAsync("triage_overview", question, cancellationToken: stop.Token).AsTask();
        await UntilAsync(() => Analyses().Length > 0);
        await stop.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => call);
        await UntilAsync(() => Analyses().Length == 0);
        Assert.Contains("DUMP1002", AssistantServer.Document(await server.CallAsync("verdict", ("path", "hang.dmp"))), StringComparison.Ordinal);
    }

    [SkippableFact]
    public async Task Lines_that_are_no_messages_do_not_end_the_server()
    {
        Skip.IfNot(OperatingSystem.IsLinux());
        using Process server = Start();
        await server.StandardInput.WriteLineAsync("not JSON at all\n{}\n[1]\n{\"jsonrpc\":\"2.0\"}\n\u0000\n" + Hello + "\n{\"jsonrpc\":\"2.0\",\"id\":\n"
            + """{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"verdict","arguments":{"path":"hang.dmp"}}}""");
        JsonElement answer;
        do
        {
            string line = await server.StandardOutput.ReadLineAsync().WaitAsync(s_patience) ?? throw new InvalidDataException("The server has ended.");
            answer = JsonDocument.Parse(line).RootElement;
        }
        while (!answer.TryGetProperty("id", out JsonElement id) || id.ValueKind != JsonValueKind.Number || id.GetInt32() != 9);

        Assert.Contains("DUMP1002", answer.Member("result").Member("content")[1].Member("text").GetString(), StringComparison.Ordinal);
        Assert.Equal(0, await EndAsync(server));
    }

    [SkippableTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_end_of_standard_input_ends_the_server_and_its_analyses(bool isBusy)
    {
        Skip.IfNot(OperatingSystem.IsLinux());
        using Process server = Start();
        await BeginAsync(server, isBusy);
        Assert.Equal(0, await EndAsync(server));
        await UntilAsync(() => Analyses().Length == 0);
    }

    [SkippableTheory]
    [InlineData("TERM")]
    [InlineData("INT")]
    public async Task A_signal_ends_the_server_and_its_analyses(string signal)
    {
        Skip.IfNot(OperatingSystem.IsLinux());
        using Process server = Start();
        await BeginAsync(server, isBusy: true);
        using Process kill = Process.Start("kill", [$"-{signal}", $"{server.Id}"]);
        await server.WaitForExitAsync().WaitAsync(s_patience);
        Assert.Equal(0, server.ExitCode);
        await UntilAsync(() => Analyses().Length == 0);
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private async Task BeginAsync(Process server, bool isBusy)
    {
        await server.StandardInput.WriteLineAsync(Hello);
        Assert.Contains("\"serverInfo\"", await server.StandardOutput.ReadLineAsync().WaitAsync(s_patience), StringComparison.Ordinal);
        if (isBusy)
        {
            await server.StandardInput.WriteLineAsync(Endless);
            await UntilAsync(() => Analyses().Length > 0);
        }
    }

    private static async Task<int> EndAsync(Process server)
    {
        server.StandardInput.Close();
        await server.WaitForExitAsync().WaitAsync(s_patience);
        return server.ExitCode;
    }

    private Process Start()
    {
        // Makes sure that signals which a test runner ignores have their effect.
        ProcessStartInfo start = new("env", ["--default-signal=INT,TERM", "dotnet", DumpAnalyze.Build, "mcp", "--root", _folder.FullName, "--timeout", "24h"])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        start.Environment[HookVariable] = typeof(StartupHook).Assembly.Location;
        return Process.Start(start)!;
    }

    /// <summary>The processes that read this test's endless records.</summary>
    private string[] Analyses() =>
    [
        .. Directory.EnumerateDirectories("/proc").Where(d => Path.GetFileName(d).All(char.IsAsciiDigit)).Where(d =>
        {
            try
            {
                return File.ReadAllText(Path.Combine(d, "cmdline")).Contains($"\0merge\0--\0{_folder.FullName}/endless\0", StringComparison.Ordinal);
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                return false;
            }
        }),
    ];

    private static async Task UntilAsync(Func<bool> condition)
    {
        var clock = Stopwatch.StartNew();
        while (!condition())
        {
            Assert.True(clock.Elapsed < s_patience, "It did not come to that.");
            await Task.Delay(20);
        }
    }
}
