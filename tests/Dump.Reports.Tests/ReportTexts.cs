using System.Text;
using Dump.Analysis;
using Dump.Analysis.Collections;
using Dump.Analysis.Merging;
using Dump.Analysis.Rules;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Readers.Minidump;
using Dump.Reports.Html;
using Dump.Reports.Json;
using Dump.Reports.Merging;
using Dump.Reports.Tests.Scenes;

namespace Dump.Reports.Tests;

/// <summary>What each command prints about a scene, in each format.</summary>
internal static class ReportTexts
{
    public static string Report(Scene scene) => Text(output => TextReport.Write(Made(scene, allStacks: false), output, TextStyle.Plain));

    public static string ReportJson(Scene scene) => Json(output => JsonReport.Write(Made(scene, allStacks: false), output));

    public static string Page(Scene scene) => Text(output => HangReportPage.Write(Made(scene, allStacks: true), output));

    public static string Markup(Scene scene, bool allStacks) => Marked((markup, style) => TextReport.Write(Made(scene, allStacks), markup, style));

    public static string Threads(Scene scene) =>
        Text(output => ThreadsReport.Write(HangReports.Facts(scene.Snapshot, allStacks: true), output, TextStyle.Plain));

    public static string ThreadsJson(Scene scene) => Json(output => JsonReport.Write(HangReports.Facts(scene.Snapshot, allStacks: true), output));

    public static string Tree(Scene scene) => Text(output => StackTreeReport.Write(ListDocuments.Tree(scene.Snapshot), output, TextStyle.Plain));

    public static string TreeJson(Scene scene) => Json(output => JsonReport.Write(ListDocuments.Tree(scene.Snapshot), output));

    /// <summary>The waits of one thread, or of all.</summary>
    public static string Chains(ProcessSnapshot snapshot, uint? thread) =>
        Text(output => ChainsReport.Write(ChainsOf(snapshot, thread), output, TextStyle.Plain));

    public static string ChainsJson(ProcessSnapshot snapshot) => Json(output => JsonReport.Write(ChainsOf(snapshot, null), output));

    public static string ChainsMarkup(ProcessSnapshot snapshot) => Marked((markup, style) => ChainsReport.Write(ChainsOf(snapshot, null), markup, style));

    public static string Locks(Scene scene) => Text(output => LocksReport.Write(LocksOf(scene), output, TextStyle.Plain));

    public static string LocksJson(Scene scene) => Json(output => JsonReport.Write(LocksOf(scene), output));

    public static string Collections() => Text(output => CollectionsReport.Write(CollectionsDocument(), output, TextStyle.Plain));

    public static string CollectionsJson() => Json(output => JsonReport.Write(CollectionsDocument(), output));

    public static string Tasks() => Text(output => TasksReport.Write(TasksDocument(), output, TextStyle.Plain));

    public static string TasksJson() => Json(output => JsonReport.Write(TasksDocument(), output));

    public static string Requests(bool all) => Text(output => RequestsReport.Write(RequestsOf(RequestScene.Make(withValues: false), all), output, TextStyle.Plain));

    public static string RequestsJson() => Json(output => JsonReport.Write(RequestsOf(RequestScene.Make(withValues: true), all: true), output));

    public static string Raw(byte[] bytes)
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(bytes);
        return Text(output => MinidumpText.Write(dump, output));
    }

    public static string RawJson(byte[] bytes)
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(bytes);
        return Json(output => MinidumpJson.Write(dump, output));
    }

    /// <summary>The SARIF file of an overview, with the rules of the detectors that are chosen.</summary>
    public static string Sarif(TriageOverview overview, Confidence failOn, Func<string, bool> isChosen) => Json(output => OverviewSarif.Write(
        overview, new SarifTool("0.1.0", [.. DetectorRegistry.Descriptors.Where(d => isChosen(d.Id)).Select(d => new SarifRule(d.Id, d.Title, d.Summary))],
            new Uri("https://example.org/dump/docs/")), failOn, output));

    private static string Marked(Action<TextWriter, TextStyle> write) => Text(output =>
    {
        using DebuggerMarkupWriter markup = new(output) { NewLine = "\n" };
        write(markup, TextStyle.Markup);
        markup.Flush();
    });

    public static string Text(Action<TextWriter> write)
    {
        using StringWriter text = new() { NewLine = "\n" };
        write(text);
        return text.ToString();
    }

    public static string Json(Action<Stream> write)
    {
        using MemoryStream bytes = new();
        write(bytes);
        return Encoding.UTF8.GetString(bytes.ToArray()) + "\n";
    }

    /// <summary>The report as the program makes it, with the notes on known issues.</summary>
    public static HangReport Made(Scene scene, bool allStacks) => KnownIssues.Default.Annotate(HangReports.Of(scene.Snapshot, scene.Result, allStacks));

    private static LockDocument LocksOf(Scene scene) => ListDocuments.Locks(scene.Snapshot, HeldLocks.Find(scene.Snapshot));

    private static ChainDocument ChainsOf(ProcessSnapshot snapshot, uint? thread) =>
        ListDocuments.Chains(snapshot, WaitChains.Find(snapshot, thread), thread is null ? WaitTrees.Find(snapshot) : []);

    public static RequestDocument RequestsOf(ProcessSnapshot snapshot, bool all) =>
        ListDocuments.Requests(snapshot, RequestGroups.Of(snapshot, all), undecidable: !RequestGroups.AreComplete(snapshot));

    private static TaskDocument TasksDocument() => ListDocuments.Tasks(AsyncForestScene.Make(), undecidable: true);

    private static CollectionDocument CollectionsDocument()
    {
        ProcessSnapshot snapshot = CollectionScanScene.Make();
        return ListDocuments.Collections(snapshot, CollectionJudgement.Judge(snapshot.CollectionScan!.Findings), undecidable: false);
    }
}
