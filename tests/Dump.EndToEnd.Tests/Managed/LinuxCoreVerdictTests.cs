using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Managed;

/// <summary>Scenes of the managed sample, hung for real on Linux and dumped from outside, get their verdicts; healthy ones get none.</summary>
[SupportedOSPlatform("linux")]
public sealed class LinuxCoreVerdictTests : IDisposable
{
    private readonly LinuxLab _lab = new();

    /// <summary>Scene, expected verdict or null, roles of the threads that it must name (those with a repeated role are not listed).</summary>
    public static TheoryData<string, string?, string[]> Scenes => new()
    {
        { "monitor-synchronized", "DUMP1002", ["instance-then-type", "type-then-instance"] },
        { "rwlock-reader-blocks-writer", "DUMP1002", ["reader", "writer"] },
        { "monitor-orphan", "DUMP1003", [] },

        // Nothing is left of the owner; before it was "no hang found".
        { "lazy-cycle", "DUMP1002", ["left", "right"] },
        { "type-initializer-cycle", "DUMP1002", ["owner", "initializer"] },
        { "lock-orphan", "DUMP1003", [] },
        { "pthread-cycle", "DUMP1002", ["owns-native", "owns-monitor"] },
        { "pthread-callback-cycle", "DUMP1002", ["owns-native", "owns-monitor"] },
        { "pthread-readers", "DUMP9001", [] },
        { "dictionary-cycle", "DUMP3001", ["reader"] },
        { "sortedset-cycle", "DUMP3001", ["reader"] },
        { "dictionary-race", "DUMP3002", ["writer", "reader"] },
        { "collections-broken", null, [] },
        { "idle", null, [] },
        { "monitor-unrelated", "DUMP1005", [] },
        { "task-slow", "DUMP9001", [] },
        { "waits", "DUMP9001", [] },
    };

    /// <summary>
    /// Variants of the others, and scenes that <see cref="Live.LiveVerdictTests"/> looks at alive, <see cref="OtherRuntimeVerdictTests"/> on another runtime or
    /// <see cref="WarmCodeTests"/> warm.
    /// </summary>
    public static TheoryData<string, string?, string[]> FurtherScenes => new()
    {
        { "legacy-rwlock-cycle", "DUMP1002", ["left", "right"] },
        { "monitor-orphan-collected", "DUMP9001", [] },
        { "hashtable-writer-gone", "DUMP3001", ["reader"] },
        { "dictionary-readers", null, [] },
        { "collections-sound", null, [] },
        { "process-wait", null, [] },
        { "monitor-wait", null, [] },
        { "monitor-many-locks", "DUMP9001", [] },
        { "lock-slow-owner", "DUMP9001", [] },
        { "type-initializer-slow", "DUMP9001", [] },
        { "mutex", "DUMP9001", [] },
        { "dictionary-one-writer", null, [] },
        { "rwlock-readers", null, [] },
        { "join-slow", null, [] },
        { "monitor-cycle2", "DUMP1002", ["transfer-0", "transfer-1"] },
        { "mixed-cycle", "DUMP1002", ["owns-monitor", "owns-lock", "owns-table"] },
        { "join-cycle", "DUMP1002", ["joining", "joined"] },
        { "task-wait-cycle", "DUMP1002", ["waiter", "worker"] },
        { "sync-over-async-context", "DUMP1006", ["context"] },
        { "pool-starvation", "DUMP1007", [] },
        { "wait-handles", null, [] },
        { "lock-cycle", "DUMP1002", ["left", "right"] },
        { "linkedlist-cycle", "DUMP3001", ["reader"] },
        { "rwlock-upgrade-slow", "DUMP9001", [] },
        { "monitor-timed", null, [] },
        { "hashset-arguments", null, [] },
        { "filter-cycle", "DUMP1002", ["filters", "waits"] },
        { "handler-cycle", "DUMP1002", ["catches", "finally"] },
        { "rwlock-cycle", "DUMP1002", ["left", "right"] },
        { "monitor-head-blocker", "DUMP1005 Suspected", ["owner"] },
        { "events", null, [] },
        { "monitor-slow-owner", "DUMP9001", [] },
        { "monitor-diamond", "DUMP9001", [] },
        { "nobody-releases", "DUMP5001 Suspected", ["main", "waiter-0", "waiter-1"] },
        { "nobody-releases-yet", null, [] },
        { "monitor-cycle3", "DUMP1002", ["transfer-0", "transfer-1", "transfer-2"] },
        { "legacy-rwlock-reader-blocks-writer", "DUMP1002", ["reader", "writer"] },
        { "monitor-unrelated-and-cycle", "DUMP1002 DUMP1005", ["transfer-0", "transfer-1"] },
        { "task-wait-all-cycle", "DUMP1002", ["waiter", "worker"] },
        { "rwlock-orphan", "DUMP1003", [] },
        { "hashset-race", "DUMP3002", ["first-writer", "second-writer"] },
        { "sortedset-race", "DUMP3002", ["writer", "reader"] },
        { "concurrent-dictionary-writers", null, [] },
        { "monitor-recursive", null, [] },
        { "monitor-nested", "DUMP1005", [] },
        { "legacy-rwlock-slow", "DUMP9001", [] },
        { "lock-timed", null, [] },
        { "rwlock-timed", null, [] },
        { "waits-timed", "DUMP9001", [] },
        { "lazy-slow", "DUMP9001", [] },
        { "task-wait-any", "DUMP9001", [] },
        { "pthread-slow-owner", "DUMP9001", [] },
    };

    public static TheoryData<string> Cycles => ["monitor-cycle2", "mixed-cycle", "task-wait-cycle"];

    [SkippableTheory]
    [MemberData(nameof(Scenes))]
    public void Scene_gets_its_verdict(string scene, string? expected, string[] roles)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        (LabDump dump, (int exitCode, JsonElement report)) = ThrowingMoment.Passed(
            scene, _lab.Dump(scene), () => _lab.DumpAnew(scene), d => DumpAnalyze.Json(d.Path),
            r => r.Report.Member("verdicts").GetArrayLength() == 0);
        VerdictAssert.Is(expected, exitCode, report);
        if (roles.Length > 0)
        {
            Assert.Equal(roles.Select(dump.Thread).Order(), VerdictAssert.Threads(report));
        }
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [MemberData(nameof(FurtherScenes))]
    public void Further_scene_gets_its_verdict(string scene, string? expected, string[] roles) => Scene_gets_its_verdict(scene, expected, roles);

    /// <summary>
    /// What stores no owner that is read: a <c>Mutex</c> of .NET on Linux, and what a call into a native library waits for. The answer is 13, and says so.
    /// </summary>
    [SkippableTheory]
    [InlineData("mutex", "the owner of a Mutex that a thread waits for (.NET on Linux keeps it in native memory that is not read)")]
    [InlineData("pthread-semaphore", "the object that 1 managed thread waits for (thread ")]
    [InlineData("pthread-semaphore-idle", "the object that 1 managed thread waits for (thread ")]
    public void Unknown_owner_is_said_to_be_unknown(string scene, string sentence)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(_lab.Dump(scene).Path);
        VerdictAssert.Is("DUMP9001", exitCode, report);
        Assert.Contains(sentence, report.Member("detectors").GetRawText(), StringComparison.Ordinal);
    }

    /// <summary>Real cores with both halves: neither the order in which the core lists its threads nor ids nor addresses decide anything.</summary>
    [SkippableTheory]
    [InlineData("mixed-cycle")]
    [InlineData("monitor-orphan")]
    [InlineData("pool-starvation")]
    [InlineData("dictionary-cycle")]
    public void Renamed_core_is_judged_alike(string scene)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        RenamedDump.CheckCore(_lab.Dump(scene).Path);
    }

    [SkippableTheory]
    [Trait("Category", "Slow")]
    [InlineData("rwlock-cycle")]
    [InlineData("monitor-head-blocker")]
    [InlineData("sync-over-async-context")]
    [InlineData("waits")]
    public void Further_renamed_core_is_judged_alike(string scene) => Renamed_core_is_judged_alike(scene);

    /// <summary>
    /// A core from the midst of a garbage collection: threads that stand for the collector wait for nothing of their own. Whether the rest can be decided
    /// depends on the moment.
    /// </summary>
    [SkippableFact]
    public void Threads_that_stand_for_the_collector_are_no_deadlock()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(_lab.Dump("garbage-collection").Path);
        Assert.DoesNotContain(report.Member("verdicts").EnumerateArray(), v => v.Member("confidence").GetString() != "Suspected");
        Assert.Contains(exitCode, (int[])[0, 12, 13]);
    }

    /// <summary>
    /// Without processor times a dump only shows that threads execute code or poll, and some locks do not tell whether their wait has an end: never more than a
    /// suspicion.
    /// </summary>
    [SkippableTheory]
    [InlineData("spin-owner", "DUMP2001", "owner")]
    [InlineData("runaway", "DUMP2002", "runaway")]
    [InlineData("spin-for-worker", "DUMP2002", "worker")]
    [InlineData("spin-each-other", "DUMP2003", "left", "right")]
    [InlineData("spinlock-each-other", "DUMP2003", "left", "right")]
    [InlineData("spinlock-cycle", "DUMP1002", "holder", "spinner")]
    public void Spinning_threads_are_suspected(string scene, string expected, params string[] roles)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        LabDump dump = _lab.Dump(scene);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        VerdictAssert.IsSuspected(expected, exitCode, report);
        Assert.Equal(roles.Select(dump.Thread).Order(), VerdictAssert.Threads(report));
    }

    [SkippableFact]
    public void Spin_lock_that_tracks_no_owner_leaves_the_question_open()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(_lab.Dump("spinlock-untracked").Path);
        Assert.Equal(13, exitCode);
        Assert.Contains("the owner of a SpinLock that 1 thread spins for", report.Member("detectors").GetRawText(), StringComparison.Ordinal);
    }

    /// <summary>In the middle of a collection threads stand where they usually do not.</summary>
    [SkippableFact]
    public void Collection_under_way_is_no_hang()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(_lab.Dump("collecting").Path);
        Assert.All(report.Member("verdicts").EnumerateArray(), v => Assert.Equal("Suspected", v.Member("confidence").GetString()));
        Assert.Contains(exitCode, (int[])[0, 12, 13]);
    }

    [SkippableTheory]
    [MemberData(nameof(Cycles))]
    public void Fully_optimised_code_gives_the_same_verdict(string scene)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        LabDump dump = _lab.DumpAnew(scene, "withheap", ("DOTNET_TieredCompilation", "0"));
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        VerdictAssert.Is("DUMP1002", exitCode, report);
    }

    [SkippableTheory]
    [InlineData("normal")]
    [InlineData("triage")]
    public void Core_without_heap_never_says_that_there_is_no_problem(string kind)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        LabDump dump = _lab.DumpAnew("monitor-cycle2", kind);
        (int exitCode, JsonElement report) = DumpAnalyze.Json(dump.Path);
        Assert.True(exitCode is 10 or 11 or 13, report.GetRawText());
    }

    public void Dispose() => _lab.Dispose();
}
