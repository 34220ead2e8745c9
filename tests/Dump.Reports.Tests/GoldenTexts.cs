using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Reports.Html;
using Dump.Reports.Merging;
using Dump.Reports.Tests.Html;
using Dump.Reports.Tests.Scenes;
using Dump.Testing;
using Dump.Testing.Fixtures;

namespace Dump.Reports.Tests;

/// <summary>
/// Every golden file of this project by name, with what makes its text: all scenes as text, a few in the other formats. What holds for all scenes in all
/// formats stands in tests of its own.
/// </summary>
internal static class GoldenTexts
{
    /// <summary>
    /// Shown as JSON, page and debugger markup too. Together they have every field and element that any scene has (<see cref="ChosenScenesTests"/>), each for a
    /// reason of its own.
    /// </summary>
    private static readonly string[] s_chosen =
    [
        "fixtures/loader-exit", // the report of the README: callback, inferred edge, CPU times; the program's own output is compared with these files
        "fixtures/timed-wait", // no verdict: the thread to look at first; waits with a time limit and the state of what they wait for
        "damaged/truncated", // problems in the file, data missing, a detector without answer
        "scenes/two-verdicts", // more than one verdict, threads behind them
        "scenes/loader-lock-suspected", // a suspicion: of the verdict and of an edge
        "scenes/load-ownership-likely", // an owner that is better known than the wait
        "scenes/managed-monitor-of-ended-thread", // managed frames, a holder that is no thread any more
        "scenes/managed-source-lines", // files and lines
        "scenes/managed-sync-over-async", // a note of others
        "scenes/managed-async-cycle", // async methods, which have no thread
        "scenes/orphan-while-exiting", // a process that ends
        "scenes/ui-lock-stuck", // a UI thread, its message, a culprit outside its own chain
        "scenes/crash", // the exception, its kind, a stack of another moment
        "scenes/pair-spinning-owner", // two dumps, what each adds
        "scenes/series-owner-stands-still", // three dumps, since which of them all stands
        "scenes/pair-lock-released", // two dumps without verdict, notes
        "scenes/open-lock-owner", // a wait without a verdict that matters
        "scenes/other-architecture", // facts that are missing altogether
        "scenes/detector-failed", // a defect of this program
        "scenes/many-problems", // a list that is cut off
    ];

    /// <summary>Whose lists of threads and chains are compared as JSON too: an inferred edge, and waits without holder in a dump that lacks much.</summary>
    private static readonly string[] s_listsAsJson = ["fixtures/loader-exit", "scenes/other-architecture"];

    private static readonly string[] s_scenesWithLists = ["many-problems", "other-architecture", "mutex-cycle-unknown-time-limit", "no-slim-lock-owner"];

    public static IReadOnlyList<string> Chosen => s_chosen;

    public static SortedDictionary<string, Func<string>> All { get; } = Collect();

    private static SortedDictionary<string, Func<string>> Collect()
    {
        SortedDictionary<string, Func<string>> all = new(StringComparer.Ordinal);
        foreach ((string name, Func<Scene> scene) in NamedScenes.All)
        {
            all.Add($"{name}.report.txt", () => ReportTexts.Report(scene()));
            if (s_chosen.Contains(name))
            {
                all.Add($"{name}.report.json", () => GoldenJson.WithTellingOutcomes(ReportTexts.ReportJson(scene())));
                all.Add($"{name}.report.html", () => PageStructure.WithoutAssets(ReportTexts.Page(scene())));
                all.Add($"{name}.report.dml", () => ReportTexts.Markup(scene(), allStacks: false));
            }

            if (!name.StartsWith("scenes/", StringComparison.Ordinal) || s_scenesWithLists.Contains(name["scenes/".Length..]))
            {
                AddLists(all, name, scene);
            }
        }

        foreach ((string name, Func<ProcessSnapshot> snapshot) in ChainScenes.Named)
        {
            all.Add($"chains/{name}.lockchain.txt", () => ReportTexts.Chains(snapshot(), null));
        }

        all.Add("chains/cycle-with-victims.lockchain.json", () => ReportTexts.ChainsJson(ChainScenes.CycleWithVictims()));
        all.Add("chains/cycle-with-victims.lockchain.dml", () => ReportTexts.ChainsMarkup(ChainScenes.CycleWithVictims()));
        all.Add("chains/chain-of-five.lockchain.dml", () => ReportTexts.ChainsMarkup(ChainScenes.ChainOfFive()));
        all.Add("chains/chain-of-five.lockchain-of-fifth.txt", () => ReportTexts.Chains(ChainScenes.ChainOfFive(), 0x110));
        AddRaw(all);
        AddFolder(all);
        all.Add("scenes/managed-heap.dictloop.txt", ReportTexts.Collections);
        all.Add("scenes/managed-heap.dictloop.json", ReportTexts.CollectionsJson);
        all.Add("scenes/managed-heap.tasks.txt", ReportTexts.Tasks);
        all.Add("scenes/managed-heap.tasks.json", ReportTexts.TasksJson);
        all.Add("scenes/managed-heap.requests.txt", () => ReportTexts.Requests(all: false));
        all.Add("scenes/managed-heap.requests-all.txt", () => ReportTexts.Requests(all: true));
        all.Add("scenes/managed-heap.requests.json", ReportTexts.RequestsJson);
        return all;
    }

    private static void AddLists(SortedDictionary<string, Func<string>> all, string name, Func<Scene> scene)
    {
        all.Add($"{name}.threads.txt", () => ReportTexts.Threads(scene()));
        all.Add($"{name}.tree.txt", () => ReportTexts.Tree(scene()));
        all.Add($"{name}.lockchain.txt", () => ReportTexts.Chains(scene().Snapshot, null));
        all.Add($"{name}.locks.txt", () => ReportTexts.Locks(scene()));
        if (s_listsAsJson.Contains(name))
        {
            all.Add($"{name}.threads.json", () => ReportTexts.ThreadsJson(scene()));
            all.Add($"{name}.tree.json", () => ReportTexts.TreeJson(scene()));
            all.Add($"{name}.lockchain.json", () => ReportTexts.ChainsJson(scene().Snapshot));
            all.Add($"{name}.locks.json", () => ReportTexts.LocksJson(scene()));
            all.Add($"{name}.lockchain-of-last.txt", () => ReportTexts.Chains(scene().Snapshot, scene().Snapshot.Threads[^1].Id));
        }
    }

    private static void AddRaw(SortedDictionary<string, Func<string>> all)
    {
        all.Add("fixtures/loader-exit-stacks-only.raw.txt", () => ReportTexts.Raw(File.ReadAllBytes(Fixture.Named("loader-exit-stacks-only").Path)));
        all.Add("fixtures/cs-orphan.raw.txt", () => ReportTexts.Raw(File.ReadAllBytes(Fixture.Named("cs-orphan").Path)));
        all.Add("fixtures/cs-orphan.raw.json", () => ReportTexts.RawJson(File.ReadAllBytes(Fixture.Named("cs-orphan").Path)));
        all.Add("damaged/hostile.raw.txt", () => Head(ReportTexts.Raw(HostileDump.Make())));
    }

    private static void AddFolder(SortedDictionary<string, Func<string>> all)
    {
        all.Add("folder/overview.html", () => PageStructure.WithoutAssets(ReportTexts.Text(output => OverviewPage.Write(FolderScene.Make(), output))));
        all.Add("folder/overview.txt", () => ReportTexts.Text(output => OverviewText.Write(FolderScene.Make(), output, TextStyle.Plain)));
        all.Add("folder/overview.csv", () => ReportTexts.Text(output => OverviewCsv.Write(FolderScene.Make(), output))
            .Replace("\r\n", "\n", StringComparison.Ordinal));
        all.Add("folder/overview.json", () => ReportTexts.Json(output => OverviewJson.Write(FolderScene.Make(), output)));
        all.Add("folder/overview.junit.xml", () => ReportTexts.Json(output => OverviewJUnit.Write(FolderScene.Make(), Confidence.Likely, output)));
        all.Add("folder/overview.sarif", () => ReportTexts.Sarif(FolderScene.Make(), Confidence.Likely, id => FolderScene.Make()
            .Hangs.Any(h => h.DetectorId == id)));
    }

    /// <summary>The text without the long list of memory regions, which the undamaged fixtures show.</summary>
    private static string Head(string text)
    {
        int regions = text.IndexOf("\nmemoryRegions\n", StringComparison.Ordinal);
        int comments = text.IndexOf("\ncomments\n", StringComparison.Ordinal);
        return string.Concat(text.AsSpan(0, regions), text.AsSpan(comments));
    }
}
