using System.Runtime.Versioning;
using System.Text.Json;
using Dump.Analysis;
using Dump.Capture;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Process;
using Dump.Readers;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Live;

/// <summary>Living processes get the verdict that their cores get, and go on afterwards.</summary>
[SupportedOSPlatform("linux")]
public sealed class LiveVerdictTests : IDisposable
{
    private const int MostAttempts = 10;
    private readonly LinuxLab _lab = new();
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-live-").FullName;

    /// <summary>Scene, expected verdict or null, roles of the threads that it must name (those with a repeated role are not listed).</summary>
    public static TheoryData<string, string?, string[]> Scenes => new()
    {
        { "monitor-cycle2", "DUMP1002", ["transfer-0", "transfer-1"] },
        { "mixed-cycle", "DUMP1002", ["owns-monitor", "owns-lock", "owns-table"] },
        { "filter-cycle", "DUMP1002", ["filters", "waits"] },
        { "events", null, [] },
        { "nobody-releases", "DUMP5001 Suspected", ["main", "waiter-0", "waiter-1"] },
    };

    /// <summary>More of the same.</summary>
    public static TheoryData<string, string?, string[]> FurtherScenes => new()
    {
        { "monitor-head-blocker", "DUMP1005 Suspected", ["owner"] },
        { "monitor-slow-owner", "DUMP9001", [] },
        { "monitor-diamond", "DUMP9001", [] },
        { "nobody-releases-yet", null, [] },
    };

    [SkippableTheory]
    [MemberData(nameof(Scenes))]
    public void Scene_gets_its_verdict_and_goes_on(string scene, string? expected, string[] roles)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start(scene);
        (int exitCode, JsonElement report) = LiveLook.At(running);
        VerdictAssert.Is(expected, exitCode, report);
        if (roles.Length > 0)
        {
            Assert.Equal(roles.Select(r => running.Threads(r).Single()).Order(), VerdictAssert.Threads(report));
        }

        LiveLook.AssertGoesOn(running);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(FurtherScenes))]
    public void Further_scene_gets_its_verdict_and_goes_on(string scene, string? expected, string[] roles) =>
        Scene_gets_its_verdict_and_goes_on(scene, expected, roles);

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Waits_with_a_time_limit_stay_known_when_a_process_is_looked_at_again()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("monitor-timed");
        for (int i = 0; i < 2; i++)
        {
            (int exitCode, JsonElement report) = LiveLook.At(running);
            VerdictAssert.Is(null, exitCode, report);
            Assert.Equal(["Finite", "Finite"], report.Member("waits").EnumerateArray()
                .Where(w => w.Member("resource").Member("kind").GetString() == "Monitor").Select(w => w.Member("timeout").GetString()));
        }
    }

    /// <summary>
    /// The healthy twin of <see cref="LiveSpinningTests.Owner_that_asks_over_and_over_is_likely_stuck"/>: nothing here rests on CPU time that a busy machine
    /// would take away.
    /// </summary>
    [SkippableFact]
    public void Owner_that_waits_in_the_same_call_is_no_spinner()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("spin-calls-waits");
        Assert.DoesNotContain("DUMP2", LiveLook.At(running, "--interval", "5.5s").Report.Member("verdicts").GetRawText(), StringComparison.Ordinal);
    }

    /// <summary>
    /// Threads on their way, that a moment does not tell about, another one does: a program that collects all the time is nearly always decided. A look that
    /// a busy machine makes stand still for so long that it is not repeated does not count.
    /// </summary>
    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("0")]
    [InlineData("1")]
    public void Program_that_collects_garbage_all_the_time_is_healthy_in_thirty_looks(string serverCollector)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartWith("garbage-collection", ("DOTNET_gcServer", serverCollector));
        int undecided = 0;
        for (int i = 0; i < 30; i++)
        {
            DumpAnalyze run = DumpAnalyze.Run(["live", $"{running.ProcessId}", "--format", "json", "--interval", "100ms"]);
            using JsonDocument report = JsonDocument.Parse(run.Output);
            Assert.All(report.RootElement.Member("verdicts").EnumerateArray(), v => Assert.Equal("Suspected", v.Member("confidence").GetString()));
            undecided += run.ExitCode == 13 && run.Error.Contains(" times for ", StringComparison.Ordinal) ? 1 : 0;
        }

        Assert.InRange(undecided, 0, 3);
        LiveLook.AssertGoesOn(running);
    }

    [SkippableFact]
    public void Process_its_kept_core_and_a_core_of_the_runtimes_own_writer_get_one_verdict()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("rwlock-cycle");
        string core = Path.Combine(_directory, "kept.core");
        string live = Verdicts(LiveLook.At(running, "--keep", core).Report);
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
        (int exitCode, JsonElement report) = LiveLook.At(running);
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
        (int exitCode, JsonElement report) = LiveLook.At(running);
        Assert.Equal(13, exitCode);
        string own = $"/proc/{running.ProcessId}/root{framework}";
        Assert.Contains($"give its own with --dac {own}", report.Member("missing").GetRawText(), StringComparison.Ordinal);
        (exitCode, report) = LiveLook.At(running, "--dac", own);
        VerdictAssert.Is("DUMP1002", exitCode, report);
    }

    /// <summary>The runtime knows its threads by the ids of the container, and the system shows them by others.</summary>
    [SkippableTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void Deadlock_in_a_container_gets_its_verdict_from_outside(bool withUsers)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        Skip.IfNot(Environment.IsPrivilegedProcess, "needs root, to make a namespace for process ids");
        using LiveScene running = LinuxLab.StartInNamespace("monitor-cycle2", withUsers);
        string core = Path.Combine(_directory, "container.core");
        (int exitCode, JsonElement report) = LiveLook.At(running, "--keep", core);
        (int coreExitCode, JsonElement ofCore) = DumpAnalyze.Json(core);
        foreach ((int code, JsonElement read) in ((int, JsonElement)[])[(exitCode, report), (coreExitCode, ofCore)])
        {
            VerdictAssert.Is("DUMP1002", code, read);
            JsonElement verdict = read.Member("verdicts")[0];
            Assert.Equal("Confirmed", verdict.Member("confidence").GetString());
            Assert.Equal(running.Threads("transfer-0").Concat(running.Threads("transfer-1")).Order(),
                verdict.Member("threads").EnumerateArray().Select(t => t.GetUInt32()).Order());
        }

        Assert.Equal("living Linux process in a container (threads by their ids inside of it)", report.Member("source").Member("kind").GetString());
        LiveLook.AssertGoesOn(running);
    }

    /// <summary>The core has the ids that are known outside; those that the runtime knows stand in the descriptors of the C library.</summary>
    [SkippableFact]
    public void Core_of_a_container_that_a_debugger_writes_outside_of_it_gets_its_verdict()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        Skip.IfNot(Environment.IsPrivilegedProcess, "needs root, to make a namespace for process ids");
        Skip.IfNot(File.Exists("/usr/bin/gcore"), "needs gdb's gcore");
        using LiveScene running = LinuxLab.StartInNamespace("monitor-cycle2");
        File.WriteAllText($"/proc/{running.ProcessId}/coredump_filter", "0x3f");
        (int exitCode, JsonElement report) = DumpAnalyze.Json(NativeLinuxLab.CoreByDebugger(running, _directory));
        VerdictAssert.Is("DUMP1002", exitCode, report);
        Assert.Equal("Confirmed", report.Member("verdicts")[0].Member("confidence").GetString());
        Assert.Equal(running.Threads("transfer-0").Concat(running.Threads("transfer-1")).Order(), VerdictAssert.Threads(report));
        Assert.Equal("Linux core (written by gcore) of a container (threads by their ids inside of it)",
            report.Member("source").Member("kind").GetString());
    }

    [SkippableFact]
    public void Process_is_let_go_when_reading_it_takes_too_long_and_its_system_calls_are_told()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartApart("monitor-cycle2");
        LiveSnapshot read = LiveSnapshotReader.Read(running.ProcessId, new LiveReadOptions
        {
            Interval = TimeSpan.FromMilliseconds(100),
            LongestStop = TimeSpan.FromMilliseconds(1),
            MostCopied = 0,
        });
        Assert.Contains(read.Snapshot.Missing, m => m.What.EndsWith($"and process {running.ProcessId} was let go", StringComparison.Ordinal));
        Assert.Contains(read.Snapshot.Threads, t => t.Activity.SystemCall == "futex");
        Assert.Empty(read.Snapshot.Ownerships);
        Assert.Empty(HangAnalysis.Run(read.Snapshot).Verdicts);
        LiveLook.AssertGoesOn(running);
    }

    [SkippableTheory]
    [InlineData("monitor-cycle2")]
    [InlineData("mixed-cycle")]
    [InlineData("nobody-releases")]
    public void Memory_that_was_copied_tells_what_that_of_the_standing_process_does(string scene)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartApart(scene);
        LiveReadOptions options = new() { Interval = TimeSpan.FromMilliseconds(100) };
        for (int attempt = 1; ; attempt++)
        {
            string[] copied = Facts(LiveSnapshotReader.Read(running.ProcessId, options).Snapshot);
            string[] standing = Facts(LiveSnapshotReader.Read(running.ProcessId, options with { MostCopied = 0 }).Snapshot);

            // Threads of the runtime wake now and then: one that moved between the two looks will mostly not do so again.
            if (attempt == MostAttempts || standing.SequenceEqual(copied))
            {
                Assert.Equal(standing, copied);
                return;
            }
        }
    }

    [SkippableFact]
    public void Verdict_does_not_depend_on_the_core_that_cannot_be_kept()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.StartApart("monitor-cycle2");

        // No file system takes a file of this name; a full disk ends in the same place.
        DumpAnalyze look = DumpAnalyze.Run("live", $"{running.ProcessId}", "--keep", Path.Combine(_directory, new string('x', 300)), "--interval", "100ms");
        Assert.Equal(1, look.ExitCode);
        Assert.Contains("DUMP1002", look.Output, StringComparison.Ordinal);
        Assert.Contains("dumpanalyze: the core could not be kept: ", look.Error, StringComparison.Ordinal);
        LiveLook.AssertGoesOn(running);
    }

    public void Dispose()
    {
        _lab.Dispose();
        Directory.Delete(_directory, recursive: true);
    }

    private static string[] Facts(ProcessSnapshot read) =>
    [
        .. read.Threads.SelectMany(t => t.Stack.Frames.Select(f => $"{t.Id} {f.InstructionPointer:x} {f.StackPointer:x} {f.Module} {f.Function}")),
        .. read.Waits.Select(w => $"{w.ThreadId} waits for {w.Resource} {w.Timeout} {w.Grade}"),
        .. read.Ownerships.Select(o => $"{o.OwnerThreadId} owns {o.Resource} {o.Grade}"),
        .. read.Modules.Select(m => $"{m.Path} {m.BaseAddress:x}"),
        .. read.Missing.Select(m => m.What),
        $"{read.ThreadPool}",
    ];

    private static string Verdicts(JsonElement report) => string.Join('\n', report.Member("verdicts").EnumerateArray().Select(v =>
        $"{v.Member("id")} {v.Member("confidence")} {v.Member("threads")} {string.Join(' ', v.Member("chain").EnumerateArray().Select(l => $"{l.Member("resource")} {l.Member("grade")} {l.Member("timeout")}"))}"));
}
