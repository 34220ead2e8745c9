using System.Runtime.Versioning;
using System.Text.Json;
using System.Text.RegularExpressions;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>
/// Hosts of Microsoft.Extensions.Hosting that do not finish starting or stopping, and requests that all wait at a gate which nobody is inside of: "cannot decide"
/// with words, never "no hang found". Their twins are.
/// </summary>
[SupportedOSPlatform("linux")]
public sealed class HostSceneTests : IDisposable
{
    private const int NothingFound = 0;
    private const int CannotDecide = 13;
    private const int BusyLooks = 4;
    private const string Line = @"HostScenes\.cs:\d+";
    private const string Type = @"Dump\.Samples\.Managed\.Web\.HostScenes\.";
    private const string HostStarts = "starts the services of a host (Microsoft.Extensions.Hosting), which has not finished starting,";
    private readonly LinuxLab _lab = new();

    [SkippableTheory]
    [InlineData("host-start-never", @"has not finished starting: it waits, in " + Type + @"HostedService\.StartAsync " + Line + @", for a task or a semaphore")]
    [InlineData("host-start-socket", @"has not finished starting: it waits, in " + Type + @"ReceiveForEver " + Line + @", for a socket")]
    [InlineData("host-start-blocks", @"^waits for ManualResetEventSlim ", HostStarts)]
    [InlineData("host-stop-never", @"has not finished stopping: it waits, in " + Type + @"HostedService\.StopAsync " + Line + @", for a task or a semaphore")]
    [InlineData("gate-lost", @"^30 async methods wait for SemaphoreSlim .* 30 requests to this server cannot be answered before\.")]
    public void Hang_that_nobody_owns_is_named_and_undecided(string scene, string words, string? role = null)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = WebLab.StartHost(scene);
        AssertUndecided(LiveLook.At(running), words, role);
        AssertUndecided(DumpAnalyze.Json(_lab.Dump(running, scene).Path), words, role);
        LiveLook.AssertGoesOn(running);
    }

    /// <summary>A host that asks for something every while, and one that runs.</summary>
    [SkippableTheory]
    [InlineData("host-start-waits", "for what ends by itself (Task.Delay)")]
    [InlineData("host-start-sleeps", null)]
    [InlineData("host-runs", null)]
    public void Host_that_goes_on_by_itself_is_no_hang(string scene, string? words)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = WebLab.StartHost(scene);
        (int exitCode, JsonElement report) = LiveLook.At(running);
        Assert.Equal(NothingFound, exitCode);
        Assert.Equal(words is not null, report.GetRawText().Contains(words ?? "The host (Microsoft.Extensions.Hosting)", StringComparison.Ordinal));
    }

    /// <summary>The gate in use: somebody is always inside.</summary>
    [SkippableFact]
    public void Requests_at_a_gate_in_use_are_no_hang()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = WebLab.StartHost("gate-busy", rests: false);
        for (int look = 0; look < BusyLooks; look++)
        {
            JsonElement report = LiveLook.At(running).Report;
            VerdictAssert.IsAtMostSuspected(report);
            Assert.DoesNotContain("who releases the semaphore", report.GetRawText(), StringComparison.Ordinal);
        }

        LiveLook.AssertGoesOn(running);
    }

    public void Dispose() => _lab.Dispose();

    private static void AssertUndecided((int ExitCode, JsonElement Report) look, string words, string? role)
    {
        Assert.Equal(CannotDecide, look.ExitCode);
        Assert.Empty(look.Report.Member("verdicts").EnumerateArray());
        Assert.Contains(look.Report.Member("openWaits").EnumerateArray(), w =>
            w.Member("undecided").GetBoolean() && Regex.IsMatch(w.Member("text").GetString()!, words)
            && (role is null || (w.TryGetProperty("why", out JsonElement said) && said.GetString() == role)));
    }
}
