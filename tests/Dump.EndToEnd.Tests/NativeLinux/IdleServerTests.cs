using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.NativeLinux;

/// <summary>Servers that wait for new work are "no hang found" only where the system shows that none is there; hung ones beside them never are.</summary>
[SupportedOSPlatform("linux")]
public sealed class IdleServerTests : IDisposable
{
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-idle-servers-").FullName;

    /// <summary>By which call the server waits.</summary>
    [SkippableTheory]
    [InlineData("epoll")]
    [InlineData("poll")]
    [InlineData("select")]
    [InlineData("accept")]
    public void Server_to_which_nobody_is_connected_is_idle(string call)
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        using LiveScene running = NativeLinuxLab.StartWith("idle-server", call);
        string core = Path.Combine(_directory, "core");
        (int exitCode, JsonElement report) = LiveLook.At(running, "--keep", core);
        Assert.Equal((0, false), (exitCode, report.Member("undecidable").GetBoolean()));
        JsonElement wait = Assert.Single(report.Member("openWaits").EnumerateArray());
        Assert.Matches(@"it listens on tcp 127\.0\.0\.1:\d+ .file descriptor \d+.; nobody waits to be accepted; no connection is open",
            wait.Member("text").GetString());
        Assert.False(wait.Member("undecided").GetBoolean());

        // Whether connections are open a core does not tell.
        Assert.Equal(13, DumpAnalyze.Json(core).ExitCode);
        LiveLook.AssertGoesOn(running);
    }

    [SkippableFact]
    public void First_process_of_a_server_names_the_processes_that_do_the_work()
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        using LiveScene running = NativeLinuxLab.Start("first-process");
        (int exitCode, JsonElement report) = LiveLook.At(running);
        Assert.Equal(0, exitCode);
        Assert.Matches(@"waits for a signal.*its child process does the work, which to look at as well: \d+",
            Assert.Single(report.Member("openWaits").EnumerateArray()).Member("text").GetString());
    }

    /// <summary>
    /// Hung ones whose loop waits as an idle one does: for a client that waits for its answer, one that waits to be accepted, a child that never writes, beside
    /// a thread that waits for ever; and words of what was seen.
    /// </summary>
    [SkippableTheory]
    [InlineData("unanswered-client", "1 connection is open, and whether a peer waits for an answer the system does not tell")]
    [InlineData("missed-client", "1 connection waits to be accepted")]
    [InlineData("silent-child", "no connection is open")]
    [InlineData("server-with-lost-condition", "no connection is open")]
    public void Hung_server_is_never_nothing_found(string scene, string words)
    {
        Skip.If(NativeLinuxLab.Unavailable is not null, NativeLinuxLab.Unavailable);
        using LiveScene running = NativeLinuxLab.Start(scene);
        (int exitCode, JsonElement report) = LiveLook.At(running);
        Assert.Equal(13, exitCode);
        Assert.Empty(report.Member("verdicts").EnumerateArray());
        Assert.Contains(report.Member("openWaits").EnumerateArray(),
            w => w.Member("text").GetString()!.Contains(words, StringComparison.Ordinal));
        LiveLook.AssertGoesOn(running);
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);
}
