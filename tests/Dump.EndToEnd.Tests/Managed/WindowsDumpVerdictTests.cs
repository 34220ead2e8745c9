using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>
/// Scenes of the managed samples, hung for real on Windows runtimes under Wine and dumped with Microsoft's writer, get their verdicts from both halves; healthy
/// ones get none. The managed half is read by the win-x64 build of the program with the runtime's own data-access library, under Wine as well: Windows itself
/// has not been tried.
/// </summary>
public sealed class WindowsDumpVerdictTests : IDisposable
{
    private const int MostAttempts = 3;
    private const int MostAttemptsWhileThrowing = 12;
    private const int Undecidable = 13;
    private readonly ManagedWineLab _lab = new();

    /// <summary>Runtime, scene, expected verdict or null, roles of the threads that it must name (those with a repeated role are not listed).</summary>
    public static TheoryData<string, string, string?, string[]> Scenes => new()
    {
        { "10.0.12", "mixed-cycle", "DUMP1002", ["owns-monitor", "owns-lock", "owns-table"] },
        { "10.0.12", "dictionary-cycle", "DUMP3001", ["reader"] },
        { "10.0.12", "idle", null, [] },
        { "8.0.30", "task-wait-cycle", "DUMP1002", ["waiter", "worker"] },
        { "8.0.30", "pool-starvation", "DUMP1007", [] },
    };

    /// <summary>More of the same.</summary>
    public static TheoryData<string, string, string?, string[]> FurtherScenes => new()
    {
        { "10.0.12", "native-slow-owner", "DUMP9001", [] },
        { "8.0.30", "monitor-synchronized", "DUMP1002", ["instance-then-type", "type-then-instance"] },
        { "10.0.12", "sync-over-async-context", "DUMP1006", ["context"] },
        { "10.0.12", "monitor-synchronized", "DUMP1002", ["instance-then-type", "type-then-instance"] },
        { "10.0.12", "monitor-cycle3", "DUMP1002", ["transfer-0", "transfer-1", "transfer-2"] },
        { "10.0.12", "monitor-timed", null, [] },
        { "8.0.30", "monitor-cycle2", "DUMP1002", ["transfer-0", "transfer-1"] },
        { "10.0.12", "rwlock-reader-blocks-writer", "DUMP1002", ["reader", "writer"] },
        { "10.0.12", "monitor-orphan", "DUMP1003", [] },
        { "10.0.12", "filter-cycle", "DUMP1002", ["filters", "waits"] },
        { "10.0.12", "events", null, [] },
        { "10.0.12", "monitor-diamond", "DUMP9001", [] },
        { "10.0.12", "monitor-slow-owner", "DUMP9001", [] },
        { "10.0.12", "rwlock-readers", null, [] },
        { "10.0.12", "native-timed", null, [] },
        { "10.0.12", "timer-dispose-cycle", "DUMP1002", [] },
        { "8.0.30", "timer-dispose-cycle", "DUMP1002", [] },
        { "10.0.12", "timer-dispose-slow", null, [] },
        { "8.0.30", "join-cycle", "DUMP1002", ["joining", "joined"] },
        { "8.0.30", "monitor-head-blocker", "DUMP1005 Suspected", ["owner"] },
        { "8.0.30", "monitor-many-locks", "DUMP9001", [] },
        { "6.0.13", "monitor-cycle2", "DUMP1002", ["left", "right"] },
        { "6.0.13", "monitor-slow-owner", "DUMP9001", [] },
    };

    [SkippableTheory]
    [MemberData(nameof(Scenes))]
    public void Scene_gets_its_verdict(string version, string scene, string? expected, string[] roles)
    {
        LabDump dump = Require(version, scene);
        (int exitCode, JsonElement report) = Read(dump, version);

        // On a busy machine a picture may catch a thread of the runtime (background compilation) in the act of ending: rightly undecidable, and made again.
        // So is one that catches the reader of the broken dictionary while the exception is in flight, as every second one does: then the runtime's walk of
        // that thread breaks off.
        int most = scene == "dictionary-cycle" ? MostAttemptsWhileThrowing : MostAttempts;
        for (int attempt = 1; attempt < most && exitCode == Undecidable && expected != "DUMP9001"; attempt++)
        {
            dump = _lab.DumpAnew(version, scene);
            (exitCode, report) = Read(dump, version);
        }

        VerdictAssert.Is(expected, exitCode, report);
        if (roles.Length > 0)
        {
            Assert.Equal(roles.Select(dump.Thread).Order(), VerdictAssert.Threads(report));
        }
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(FurtherScenes))]
    public void Further_scene_gets_its_verdict(string version, string scene, string? expected, string[] roles) =>
        Scene_gets_its_verdict(version, scene, expected, roles);

    [SkippableFact]
    public void Dictionary_of_Core_2_0_spins_for_ever_with_two_threads_inside()
    {
        LabDump dump = Require("2.0.0", "dictionary-spin");
        (int exitCode, JsonElement report) = Read(dump, "2.0.0");
        VerdictAssert.Is("DUMP3001", exitCode, report);
        Assert.Equal(new[] { dump.Thread("reader"), dump.Thread("writer") }.Order(), VerdictAssert.Threads(report));
        string claims = report.Member("verdicts").GetRawText();
        Assert.Contains("follows such a cycle for ever", claims, StringComparison.Ordinal);
        Assert.Contains("2 threads are inside of it", claims, StringComparison.Ordinal);
        Assert.DoesNotContain("InvalidOperationException", claims, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Monitor_and_critical_section_make_one_cycle_which_both_builds_report_alike()
    {
        LabDump dump = Require("10.0.12", "native-cycle");

        // Where the program was built, as the dump spells it, is a place of Windows only: both builds are told where its lines are.
        string symbols = Path.GetDirectoryName(ManagedWineLab.Sample("10.0.12"))!;
        DumpAnalyze merged = DumpAnalyze.RunIn(
            [("WINEPREFIX", WineLab.Prefix)], dump.Path, "--format", "json", "--symbols", symbols, "--wine", ManagedWineLab.Program);
        JsonElement report = JsonDocument.Parse(merged.Output).RootElement;
        VerdictAssert.Is("DUMP1002", merged.ExitCode, report);
        Assert.Equal(new[] { dump.Thread("owns-native"), dump.Thread("owns-monitor") }.Order(), VerdictAssert.Threads(report));
        Assert.Equal(["CriticalSection", "Monitor"], VerdictAssert.Resources(report).Select(r => r.Split(' ')[0]).Order());

        // The build under Wine reports the same by itself; only how the managed half was read is not said there.
        string origin = report.Member("source").Member("managedHalf").GetRawText();
        Assert.Contains("read under Wine", origin, StringComparison.Ordinal);
        Assert.Contains("Scenes.cs", merged.Output, StringComparison.Ordinal);
        string direct = ManagedWineLab.RunProgram(dump.Path, "--format", "json", "--symbols", WineLab.WindowsPath(symbols));
        Assert.Equal(direct, merged.Output.Replace($",\n    \"managedHalf\": {origin}", "", StringComparison.Ordinal));
    }

    /// <summary>The scan of collections crosses over from the program under Wine too; single objects do not, and the message says what to run.</summary>
    [SkippableFact]
    public void Broken_collections_of_a_Windows_dump_are_found_on_Linux_and_objects_name_the_way()
    {
        LabDump dump = Require("10.0.12", "dictionary-cycle");
        (string? runtime, _) = ManagedWineLab.Runtime("10.0.12");
        string[] wine = ["--wine", ManagedWineLab.Program, "--dac", runtime!, "--format", "json"];
        DumpAnalyze heap = DumpAnalyze.RunIn([("WINEPREFIX", WineLab.Prefix)], ["dictloop", dump.Path, "--heap", .. wine]);
        JsonElement report = JsonDocument.Parse(heap.Output).RootElement;
        JsonElement finding = Assert.Single(report.Member("collections").EnumerateArray());
        Assert.Contains("Dictionary", finding.Member("type").GetString(), StringComparison.Ordinal);
        Assert.NotEqual(JsonValueKind.Null, report.Member("heap").ValueKind);

        DumpAnalyze one = DumpAnalyze.RunIn([("WINEPREFIX", WineLab.Prefix)], ["dictloop", dump.Path, finding.Member("address").GetString()!, .. wine]);
        Assert.Equal(finding.Member("address").GetString(), Assert.Single(JsonDocument.Parse(one.Output).RootElement.Member("collections")
            .EnumerateArray()).Member("address").GetString());

        DumpAnalyze fields = DumpAnalyze.Run("object", dump.Path, finding.Member("address").GetString()!);
        Assert.Equal(13, fields.ExitCode);
        Assert.Contains("wine64 dumpanalyze.exe COMMAND", fields.Error, StringComparison.Ordinal);
    }

    /// <summary>Below five seconds of processor time nothing is called a runaway, so this scene computes for longer before it is dumped.</summary>
    [SkippableFact]
    public void Managed_thread_that_has_burnt_time_is_suspected()
    {
        LabDump dump = Require("10.0.12", "runaway-long");
        (int exitCode, JsonElement report) = Read(dump, "10.0.12");
        ProcessorShare share = ProcessorShare.Of(dump.Path, dump.Thread("runaway"));
        Skip.IfNot(share.IsRunaway, $"the machine is too busy: the thread got {share}");
        VerdictAssert.IsSuspected("DUMP2002", exitCode, report);
        Assert.Equal([dump.Thread("runaway")], VerdictAssert.Threads(report));
    }

    [SkippableFact]
    public void Without_the_library_the_report_names_what_it_needs()
    {
        LabDump dump = Require("8.0.30", "monitor-cycle2");
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        Assert.Equal(13, exitCode);
        string missing = report.Member("missing").GetRawText();
        Assert.Contains(".NET 8.0.30", missing, StringComparison.Ordinal);
        Assert.Contains("mscordaccore.dll", missing, StringComparison.Ordinal);
        Assert.Contains("--wine DIR", missing, StringComparison.Ordinal);

        // Another runtime's library, though named by the user, is not taken for it.
        (string? other, string? unavailable) = ManagedWineLab.Runtime("10.0.12");
        Skip.If(unavailable is not null, unavailable);
        DumpAnalyze wrong = DumpAnalyze.RunIn([("WINEPREFIX", WineLab.Prefix)], dump.Path, "--format", "json", "--wine", ManagedWineLab.Program, "--dac",
            other!);
        Assert.Equal(13, wrong.ExitCode);
        Assert.Contains("Microsoft.NETCore.App.Runtime.win-x64 8.0.30", wrong.Output, StringComparison.Ordinal);
    }

    public void Dispose() => _lab.Dispose();

    private LabDump Require(string version, string scene)
    {
        Skip.If(ManagedWineLab.Unavailable is not null, ManagedWineLab.Unavailable);
        string? unavailable = ManagedWineLab.Runtime(version).Unavailable;
        Skip.If(unavailable is not null, unavailable);
        return _lab.Dump(version, scene);
    }

    private static (int ExitCode, JsonElement Report) Read(LabDump dump, string version)
    {
        DumpAnalyze run = DumpAnalyze.RunIn(
            [("WINEPREFIX", WineLab.Prefix)],
            dump.Path, "--format", "json", "--wine", ManagedWineLab.Program, "--dac", ManagedWineLab.Runtime(version).Directory!);
        Assert.True(run.Error.Length == 0, run.Error);
        return (run.ExitCode, JsonDocument.Parse(run.Output).RootElement);
    }
}
