using System.Runtime.Versioning;
using System.Text.Json;
using Dump.Capture;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Readers;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Live;

/// <summary>Living processes get the verdict that their cores get, and go on afterwards.</summary>
[SupportedOSPlatform("linux")]
public sealed class LiveVerdictTests : IDisposable
{
    private const int MostAttempts = 5;
    private readonly LinuxLab _lab = new();
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-live-").FullName;

    /// <summary>Scene, expected verdict or null, roles of the threads that it must name (those with a repeated role are not listed).</summary>
    public static TheoryData<string, string?, string[]> Scenes => new()
    {
        { "monitor-cycle2", "DUMP1002", ["transfer-0", "transfer-1"] },
        { "mixed-cycle", "DUMP1002", ["owns-monitor", "owns-lock", "owns-table"] },
        { "filter-cycle", "DUMP1002", ["filters", "waits"] },
        { "monitor-head-blocker", "DUMP1005", ["owner"] },
        { "monitor-slow-owner", null, [] },
        { "monitor-diamond", null, [] },
        { "events", null, [] },
    };

    [SkippableTheory]
    [MemberData(nameof(Scenes))]
    public void Scene_gets_its_verdict_and_goes_on(string scene, string? expected, string[] roles)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start(scene);
        (int exitCode, JsonElement report) = Look(running);
        VerdictAssert.Is(expected, exitCode, report);
        if (roles.Length > 0)
        {
            Assert.Equal(roles.Select(r => running.Threads(r).Single()).Order(), VerdictAssert.Threads(report));
        }

        Goes(running);
    }

    [SkippableFact]
    public void Waits_with_a_time_limit_stay_known_when_a_process_is_looked_at_again()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("monitor-timed");
        for (int i = 0; i < 2; i++)
        {
            (int exitCode, JsonElement report) = Look(running);
            VerdictAssert.Is(null, exitCode, report);
            Assert.Equal(["Finite", "Finite"], report.GetProperty("waits").EnumerateArray()
                .Where(w => w.GetProperty("resource").GetProperty("kind").GetString() == "Monitor").Select(w => w.GetProperty("timeout").GetString()));
        }
    }

    [SkippableFact]
    public void Process_its_kept_core_and_a_core_of_the_runtimes_own_writer_get_one_verdict()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("rwlock-cycle");
        string core = Path.Combine(_directory, "kept.core");
        string live = Verdicts(Look(running, "--keep", core).Report);
        Assert.Equal(live, Verdicts(DumpAnalyze.Json(core).Report));
        Assert.Equal(live, Verdicts(DumpAnalyze.Json(_lab.Dump(running, "rwlock-cycle").Path).Report));
        Assert.Contains("DUMP1002 Confirmed", live, StringComparison.Ordinal);
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(core));
    }

    [SkippableFact]
    public void Runtime_beside_which_nothing_is_installed_is_read_by_its_own_library_when_the_process_is_ours()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        string? framework = PrivateRuntimes.Shared.Add("8.0.0");
        Skip.If(framework is null, "NuGet package Microsoft.NETCore.App.Runtime.linux-x64 8.0.0 is not restored");
        using LiveScene running = LinuxLab.StartOn("monitor-cycle2", "8.0.0");
        (int exitCode, JsonElement report) = Look(running);
        VerdictAssert.Is("DUMP1002", exitCode, report);
    }

    [SkippableFact]
    public void Code_of_a_process_that_sees_other_files_is_not_run_unasked()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        Skip.IfNot(Environment.UserName == "root" && File.Exists("/usr/bin/unshare"), "needs root and the unshare tool, to make a mount namespace");
        string? framework = PrivateRuntimes.Shared.Add("8.0.0");
        Skip.If(framework is null, "NuGet package Microsoft.NETCore.App.Runtime.linux-x64 8.0.0 is not restored");
        using LiveScene running = LinuxLab.StartOn("monitor-cycle2", "8.0.0", "unshare", "-m");
        (int exitCode, JsonElement report) = Look(running);
        Assert.Equal(13, exitCode);
        string own = $"/proc/{running.ProcessId}/root{framework}";
        Assert.Contains($"give its own with --dac {own}", report.GetProperty("missing").GetRawText(), StringComparison.Ordinal);
        (exitCode, report) = Look(running, "--dac", own);
        VerdictAssert.Is("DUMP1002", exitCode, report);
    }

    [SkippableFact]
    public void Process_is_let_go_when_reading_it_takes_too_long()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartApart("monitor-cycle2");
        InvalidDumpException refused = Assert.Throws<InvalidDumpException>(() =>
            LiveSnapshotReader.Read(running.ProcessId, new LiveReadOptions { Interval = TimeSpan.FromMilliseconds(100), LongestStop = TimeSpan.FromMilliseconds(1) }));
        Assert.Contains("was let go because reading it took longer", refused.Message, StringComparison.Ordinal);
        Goes(running);
    }

    [SkippableFact]
    public void Four_that_compute_and_fifty_that_wait_are_told_apart_and_the_four_go_on()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("spin-crowd");
        uint owner = running.Threads("owner").Single();
        (int exitCode, JsonElement report) = Look(running);
        VerdictAssert.Is("DUMP2001", exitCode, report);
        Assert.Equal([owner], VerdictAssert.Threads(report));
        Assert.Equal(running.Threads("waiter").Order(), VerdictAssert.Victims(report));
        uint[] spinners = [owner, .. running.Threads("spinner")];
        foreach (JsonElement thread in report.GetProperty("threads").EnumerateArray())
        {
            uint id = thread.GetProperty("id").GetUInt32();
            long used = thread.GetProperty("recentUse").GetProperty("usedMicroseconds").GetInt64();
            Assert.True(spinners.Contains(id) ? used > 0 : !running.Threads("waiter").Contains(id) || used == 0, $"thread {id} used {used} us");
        }

        long[] before = [.. spinners.Select(running.ProcessorTicks)];
        Assert.True(SpinWait.SpinUntil(() => spinners.Zip(before).All(s => running.ProcessorTicks(s.First) > s.Second), TimeSpan.FromSeconds(20)));
        Goes(running);
    }

    [SkippableTheory]
    [InlineData("300ms", "Suspected")]
    [InlineData("5.5s", "Likely")]
    public void Owner_that_computes_while_few_wait_is_likely_stuck_only_after_a_long_look(string interval, string confidence)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("spin-owner");
        JsonElement[] verdicts = [];

        // On a busy machine a thread may get too little of a short interval to be called busy.
        for (int attempt = 0; attempt < MostAttempts && verdicts.Length == 0; attempt++)
        {
            verdicts = [.. Look(running, "--interval", interval).Report.GetProperty("verdicts").EnumerateArray()];
        }

        JsonElement verdict = Assert.Single(verdicts);
        Assert.Equal(("DUMP2001", confidence), (verdict.GetProperty("id").GetString(), verdict.GetProperty("confidence").GetString()));
    }

    [SkippableFact]
    public void Thread_that_only_computes_is_a_suspected_runaway()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("runaway");
        (int exitCode, JsonElement report) = Look(running, "--interval", "5.5s");

        // On a busy machine it may get too little of the time.
        for (int attempt = 1; attempt < MostAttempts && report.GetProperty("verdicts").GetArrayLength() == 0; attempt++)
        {
            (exitCode, report) = Look(running, "--interval", "5.5s");
        }

        VerdictAssert.IsSuspected("DUMP2002", exitCode, report);
        Assert.Equal(running.Threads("runaway"), VerdictAssert.Threads(report));
    }

    /// <summary>The call is a wait by its name: only its processor time tells that it does not wait there.</summary>
    [SkippableFact]
    public void Owner_that_asks_over_and_over_is_likely_stuck()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("spin-calls");
        string calls = "";
        for (int attempt = 0; attempt < MostAttempts && !calls.Contains("calling poll", StringComparison.Ordinal); attempt++)
        {
            // It may be caught between two calls.
            (int exitCode, JsonElement report) = Look(running, "--interval", "5.5s");
            VerdictAssert.Is("DUMP2001", exitCode, report);
            Assert.Equal(running.Threads("owner"), VerdictAssert.Threads(report));
            calls = report.GetProperty("verdicts")[0].GetRawText();
        }

        Assert.Contains("It runs, calling poll without waiting there: ", calls, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Owner_that_waits_in_the_same_call_is_no_spinner()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("spin-calls-waits");
        Assert.DoesNotContain("DUMP2", Look(running, "--interval", "5.5s").Report.GetProperty("verdicts").GetRawText(), StringComparison.Ordinal);
    }

    public void Dispose()
    {
        _lab.Dispose();
        Directory.Delete(_directory, recursive: true);
    }

    private static (int ExitCode, JsonElement Report) Look(LiveScene scene, params string[] options)
    {
        DumpAnalyze run = DumpAnalyze.Run(["live", $"{scene.ProcessId}", "--format", "json", .. options]);
        Assert.True(run.Output.Length > 0, run.Error);
        return (run.ExitCode, JsonDocument.Parse(run.Output).RootElement);
    }

    private static string Verdicts(JsonElement report) => string.Join('\n', report.GetProperty("verdicts").EnumerateArray().Select(v =>
        $"{v.GetProperty("id")} {v.GetProperty("confidence")} {v.GetProperty("threads")} {string.Join(' ', v.GetProperty("chain").EnumerateArray().Select(l => $"{l.GetProperty("resource")} {l.GetProperty("grade")} {l.GetProperty("timeout")}"))}"));

    private static void Goes(LiveScene scene)
    {
        // The system lets the threads go one after the other.
        Assert.True(SpinWait.SpinUntil(() => scene.Tracer == 0 && !scene.ThreadStates.Any(s => s is 'T' or 't'), TimeSpan.FromSeconds(5)), scene.ThreadStates);
    }
}
