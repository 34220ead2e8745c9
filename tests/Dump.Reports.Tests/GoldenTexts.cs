using System.Text;
using Dump.Analysis;
using Dump.Analysis.Collections;
using Dump.Model.Collections;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Reports.Html;
using Dump.Reports.Merging;
using Dump.Reports.Tests.Html;
using Dump.Reports.Tests.Scenes;
using Dump.Testing.Fixtures;

namespace Dump.Reports.Tests;

/// <summary>Every golden file of this project by name, with what makes its text.</summary>
internal static class GoldenTexts
{
    /// <summary>Fixtures whose lists of threads and chains are compared as JSON too: a cycle with an inferred edge, a cycle of three, waits without holder, nothing to walk.</summary>
    private static readonly string[] s_listsAsJson = ["loader-exit", "cs-cycle3", "timed-wait", "loader-exit-stacks-only"];

    /// <summary>Fixtures whose streams are compared: the smallest ones.</summary>
    private static readonly string[] s_raw = ["loader-exit-stacks-only", "cs-orphan"];

    private static readonly Dictionary<string, Func<Scene>> s_scenes = new()
    {
        ["load-ownership-likely"] = VerdictScenes.LoadOwnershipLikely,
        ["loader-lock-suspected"] = VerdictScenes.LoaderLockSuspected,
        ["mutex-cycle"] = VerdictScenes.MutexCycle,
        ["mutex-cycle-unknown-time-limit"] = VerdictScenes.MutexCycleOfUnknownTimeLimit,
        ["ui-busy"] = UiScenes.BusyHandler,
        ["ui-com-call-hung"] = UiScenes.ComCallInHungWindow,
        ["ui-lock-stuck"] = UiScenes.LockOfStuckOwner,
        ["ui-task-invoke"] = UiScenes.TaskThatInvokes,
        ["managed-sync-over-async"] = ManagedScenes.SyncOverAsync,
        ["managed-sync-over-async-suspected"] = ManagedScenes.SyncOverAsyncSuspected,
        ["managed-pool-starvation"] = ManagedScenes.PoolStarvationAtMaximum,
        ["managed-pool-starvation-growing"] = ManagedScenes.PoolStarvationGrowing,
        ["managed-dictionary-cycle-spins"] = ManagedScenes.DictionaryCycleThatSpins,
        ["managed-dictionary-cycle-throws"] = ManagedScenes.DictionaryCycleThatThrows,
        ["managed-dictionary-race"] = ManagedScenes.DictionaryRace,
        ["managed-monitor-of-ended-thread"] = ManagedScenes.MonitorOfEndedThread,
        ["managed-spin-locks-of-each-other"] = ManagedScenes.SpinLocksOfEachOther,
        ["managed-semaphore-under-lock"] = ManagedScenes.SemaphoreUnderLock,
        ["self-deadlock"] = VerdictScenes.SelfDeadlock,
        ["orphan-while-exiting"] = VerdictScenes.OrphanWhileExiting,
        ["orphaned-load-ownership"] = VerdictScenes.OrphanedLoadOwnership,
        ["head-blocker-stuck"] = VerdictScenes.HeadBlockerStuck,
        ["head-blocker-slow"] = VerdictScenes.HeadBlockerSlow,
        ["spinning-owner-without-times"] = VerdictScenes.SpinningOwnerWithoutTimes,
        ["runaway-that-computes"] = VerdictScenes.RunawayThatComputes,
        ["pair-deadlock-stands-still"] = PairScenes.DeadlockStandsStill,
        ["pair-deadlock-that-moved"] = PairScenes.DeadlockThatMoved,
        ["pair-lock-released"] = PairScenes.LockReleased,
        ["pair-spinning-owner"] = PairScenes.SpinningOwner,
        ["pair-runaway"] = PairScenes.Runaway,
        ["two-verdicts"] = VerdictScenes.TwoVerdicts,
        ["nothing-found"] = MissingDataScenes.NothingFound,
        ["no-times"] = MissingDataScenes.NoTimes,
        ["no-loader-lock"] = MissingDataScenes.NoLoaderLock,
        ["no-lock-memory"] = MissingDataScenes.NoLockMemory,
        ["no-handles"] = MissingDataScenes.NoHandles,
        ["no-mutex-owner"] = MissingDataScenes.NoMutexOwner,
        ["no-slim-lock-owner"] = MissingDataScenes.NoOwnerOfSlimLocks,
        ["no-handle-value"] = MissingDataScenes.NoHandleValue,
        ["other-architecture"] = MissingDataScenes.OtherArchitecture,
        ["detector-failed"] = MissingDataScenes.DetectorFailed,
        ["detector-failed-and-data-missing"] = MissingDataScenes.DetectorFailedBesideMissingData,
        ["detector-failed-beside-verdict"] = MissingDataScenes.DetectorFailedBesideAVerdict,
        ["many-problems"] = MissingDataScenes.ManyProblems,
    };

    private static readonly string[] s_scenesWithLists = ["many-problems", "other-architecture", "mutex-cycle-unknown-time-limit", "no-slim-lock-owner"];

    private static readonly string[] s_pages = ["two-verdicts", "load-ownership-likely", "loader-lock-suspected", "ui-lock-stuck", "pair-deadlock-stands-still", "no-times", "self-deadlock", "many-problems"];

    /// <summary>The scenes by name.</summary>
    public static IReadOnlyDictionary<string, Func<Scene>> Scenes => s_scenes;

    public static SortedDictionary<string, Func<string>> All { get; } = Collect();

    private static SortedDictionary<string, Func<string>> Collect()
    {
        SortedDictionary<string, Func<string>> all = new(StringComparer.Ordinal);
        foreach ((string name, Func<Scene> scene) in s_scenes)
        {
            AddReport(all, $"scenes/{name}", scene);
        }

        foreach (string name in s_scenesWithLists)
        {
            AddLists(all, $"scenes/{name}", s_scenes[name], asJson: name == "other-architecture");
        }

        foreach (string name in s_pages)
        {
            all.Add($"pages/{name}.html", () => Page(output => HangReportPage.Write(HangReports.Of(s_scenes[name]().Snapshot, s_scenes[name]().Result, allStacks: true), output)));
        }

        AddFolder(all);
        foreach (Fixture fixture in Fixture.All)
        {
            Func<Scene> scene = () => Read(File.ReadAllBytes(fixture.Path), fixture.File);
            AddReport(all, $"fixtures/{fixture.Name}", scene);
            AddLists(all, $"fixtures/{fixture.Name}", scene, asJson: s_listsAsJson.Contains(fixture.Name));
        }

        foreach (string name in s_raw)
        {
            AddRaw(all, $"fixtures/{name}", () => File.ReadAllBytes(Fixture.Named(name).Path));
        }

        all.Add("scenes/managed-heap.dictloop.txt", () => Text(output => CollectionsReport.WriteText(CollectionScanScene.Make(), Judged(), output, TextStyle.Plain)));
        all.Add("scenes/managed-heap.dictloop.json", () => Json(output => CollectionsJson.Write(CollectionScanScene.Make(), Judged(), undecidable: false, output)));
        AddReport(all, "damaged/hostile", () => Read(HostileDump.Make(), "hos\u001b[7mtile\u202epmd.dmp"));
        AddLists(all, "damaged/hostile", () => Read(HostileDump.Make(), "hostile.dmp"), asJson: false);
        all.Add("damaged/hostile.raw.txt", () => Head(RawText(HostileDump.Make())));
        AddReport(all, "damaged/truncated", () => Read(Truncated(), "truncated.dmp"));
        AddLists(all, "damaged/truncated", () => Read(Truncated(), "truncated.dmp"), asJson: false);
        return all;
    }

    public static Scene Read(byte[] bytes, string name)
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(bytes);
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, name);
        return new Scene(snapshot, HangAnalysis.Run(snapshot));
    }

    public static string RawText(byte[] bytes)
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(bytes);
        return Text(output => MinidumpText.Write(dump, output));
    }

    public static string RawJson(byte[] bytes)
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(bytes);
        return Json(output => MinidumpJson.Write(dump, output));
    }

    /// <summary>The SARIF file of an overview.</summary>
    public static string Sarif(TriageOverview overview, Confidence failOn) =>
        Json(output => OverviewSarif.Write(overview, DetectorRegistry.Descriptors.Select(d => new SarifRule(d.Id, d.Title, d.Summary)), "0.1.0", failOn, output));

    private static void AddFolder(SortedDictionary<string, Func<string>> all)
    {
        all.Add("folder/overview.html", () => Page(output => OverviewPage.Write(FolderScene.Make(), output)));
        all.Add("folder/overview.txt", () => Text(output => OverviewText.Write(FolderScene.Make(), output, TextStyle.Plain)));
        all.Add("folder/overview.csv", () => Text(output => OverviewCsv.Write(FolderScene.Make(), output)).Replace("\r\n", "\n", StringComparison.Ordinal));
        all.Add("folder/overview.json", () => Json(output => OverviewJson.Write(FolderScene.Make(), output)));
        all.Add("folder/overview.junit.xml", () => Json(output => OverviewJUnit.Write(FolderScene.Make(), Confidence.Likely, output)));
        all.Add("folder/overview.sarif", () => Sarif(FolderScene.Make(), Confidence.Likely));
    }

    /// <summary>A page without its style and script, which are the same in all.</summary>
    private static string Page(Action<TextWriter> write) => PageStructure.WithoutAssets(Text(write));

    private static void AddReport(SortedDictionary<string, Func<string>> all, string name, Func<Scene> scene)
    {
        all.Add($"{name}.report.txt", () => Text(output => TextReport.Write(scene().Snapshot, scene().Result, output, TextStyle.Plain, allStacks: false)));
        all.Add($"{name}.report.json", () => Json(output => JsonReport.Write(scene().Snapshot, scene().Result, output, allStacks: false)));
    }

    private static void AddLists(SortedDictionary<string, Func<string>> all, string name, Func<Scene> scene, bool asJson)
    {
        all.Add($"{name}.threads.txt", () => Text(output => ThreadsReport.WriteText(scene().Snapshot, output, TextStyle.Plain)));
        all.Add($"{name}.tree.txt", () => Text(output => StackTreeReport.WriteText(scene().Snapshot, output, TextStyle.Plain)));
        all.Add($"{name}.lockchain.txt", () => Text(output => ChainsReport.WriteText(scene().Snapshot, Chains(scene(), null), output, TextStyle.Plain)));
        if (asJson)
        {
            all.Add($"{name}.threads.json", () => Json(output => JsonReport.Write(scene().Snapshot, null, output, allStacks: true)));
            all.Add($"{name}.tree.json", () => Json(output => StackTreeReport.WriteJson(scene().Snapshot, output)));
            all.Add($"{name}.lockchain.json", () => Json(output => ChainsReport.WriteJson(scene().Snapshot, Chains(scene(), null), output)));
            all.Add($"{name}.lockchain-of-last.txt", () => Text(output => ChainsReport.WriteText(scene().Snapshot, Chains(scene(), scene().Snapshot.Threads[^1].Id), output, TextStyle.Plain)));
        }
    }

    private static void AddRaw(SortedDictionary<string, Func<string>> all, string name, Func<byte[]> bytes)
    {
        all.Add($"{name}.raw.txt", () => RawText(bytes()));
        all.Add($"{name}.raw.json", () => RawJson(bytes()));
    }

    private static System.Collections.Immutable.ImmutableArray<JudgedCollection> Judged() => CollectionJudgement.Judge(CollectionScanScene.Make().CollectionScan!.Findings);

    private static IReadOnlyList<WaitChain> Chains(Scene scene, uint? thread) => WaitChains.Find(scene.Snapshot, thread);

    /// <summary>A dump whose writer was interrupted: the last third, where memory stands, is missing.</summary>
    private static byte[] Truncated()
    {
        byte[] whole = File.ReadAllBytes(Fixture.Named("loader-exit").Path);
        return whole[..(whole.Length * 2 / 3)];
    }

    /// <summary>The text without the long list of memory regions, which the undamaged fixtures show.</summary>
    private static string Head(string text)
    {
        int regions = text.IndexOf("\nmemoryRegions\n", StringComparison.Ordinal);
        int comments = text.IndexOf("\ncomments\n", StringComparison.Ordinal);
        return string.Concat(text.AsSpan(0, regions), text.AsSpan(comments));
    }

    private static string Text(Action<TextWriter> write)
    {
        using StringWriter text = new() { NewLine = "\n" };
        write(text);
        return text.ToString();
    }

    private static string Json(Action<Stream> write)
    {
        using MemoryStream bytes = new();
        write(bytes);
        return Encoding.UTF8.GetString(bytes.ToArray()) + "\n";
    }
}
