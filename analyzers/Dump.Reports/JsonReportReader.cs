using System.Collections.Immutable;
using System.Text.Json;
using Dump.Model.Contract;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Verdicts;

namespace Dump.Reports;

/// <summary>
/// Reads a stored <c>dump-report/1</c>, of this version or another one: fields that it does not know are passed over, fields that are missing are unknown. A confidence or an outcome that this version
/// does not know makes the report unreadable, for nothing else may stand in for it; other names that a newer version added only describe, and count as unknown or as the weakest.
/// The file may come from anybody: every list has a limit and every text is cleaned.
/// </summary>
public static class JsonReportReader
{
    /// <summary>Most bytes of a document.</summary>
    public const int LongestDocument = 256 * 1024 * 1024;

    private const int DeepestNesting = 64;
    private const int MostModules = 200_000;
    private const int MostThreads = 100_000;
    private const int MostTexts = 10_000;

    /// <summary>Reads a document.</summary>
    /// <param name="document">UTF-8 text, with or without byte order mark.</param>
    /// <exception cref="InvalidReportException">It is no such report, or a damaged one.</exception>
    public static HangReport Read(ReadOnlyMemory<byte> document)
    {
        if (document.Length > LongestDocument)
        {
            throw new InvalidReportException($"it is longer than {LongestDocument} bytes");
        }

        ReadOnlySpan<byte> mark = [0xEF, 0xBB, 0xBF];
        try
        {
            using JsonDocument json = JsonDocument.Parse(document.Span.StartsWith(mark) ? document[mark.Length..] : document, new JsonDocumentOptions { MaxDepth = DeepestNesting });
            return Read(json.RootElement);
        }
        catch (JsonException error)
        {
            throw new InvalidReportException($"it is not JSON: {SafeText.Clean(error.Message, 200)}", error);
        }
    }

    /// <summary>Reads a report that is part of another document.</summary>
    /// <param name="report">The report.</param>
    /// <exception cref="InvalidReportException">It is no such report, or a damaged one.</exception>
    public static HangReport Read(JsonElement report)
    {
        if (report.ValueKind != JsonValueKind.Object || report.Text("schema") != SchemaNames.Report)
        {
            throw new InvalidReportException($"it is no {SchemaNames.Report}");
        }

        JsonElement? process = report.Part("process");
        ImmutableArray<ReportedVerdict> verdicts = report.List(Present(report, "verdicts"), MostTexts, JsonVerdictReader.Verdict);
        ImmutableArray<ReportedOutcome> unanswered =
        [
            .. report.List(Present(report, "detectors"), MostTexts, Outcome).Where(o => o.Kind is DetectorOutcomeKind.InsufficientData or DetectorOutcomeKind.Failed),
        ];
        bool isUndecidable = report.Flag(Present(report, "undecidable")) is true;
        return new HangReport
        {
            Source = Source(report.Part("source") ?? throw new InvalidReportException("it has no \"source\"")),
            ProcessName = process?.Text("name"),
            ProcessId = process?.Id("id"),
            Machine = process?.Text("machine"),
            System = process?.Text("system"),
            Architecture = process?.Text("architecture"),
            IsUndecidable = isUndecidable || (verdicts.IsEmpty && !unanswered.IsEmpty),
            Verdicts = verdicts,
            Unanswered = unanswered,
            Missing = report.List("missing", MostTexts, JsonVerdictReader.Missing),
            Problems = report.List("problems", MostModules, p => new ReaderProblem(p.Text("where") ?? "", p.Text("message") ?? "", p.Address("offset"))),
            Only = report.Texts("only", MostTexts),
            Notes = report.Texts("notes", MostTexts),
            Threads = [.. report.List("threads", MostThreads, Name).OfType<ReportedThread>()],
            Modules = report.List("modules", MostModules, m => new ReportedModule(JsonVerdictReader.Required(m, "name"), m.Text("version"), m.Text("vendor"), m.Flag("system")) { Build = m.Text("build") }),
            Focus = report.Part("focus") is { } focus ? JsonVerdictReader.Stack(focus, "why") : null,
            Stacks = [.. report.List("threads", MostThreads, Thread).OfType<ReportedStack>()],
        };
    }

    /// <summary>The name of a field without which a report would seem to say that nothing was found.</summary>
    private static string Present(JsonElement report, string name) => report.Field(name) is not null ? name : throw new InvalidReportException($"it has no \"{name}\"");

    private static SourceDescription Source(JsonElement source) =>
        new(source.Text("name") ?? "", source.Text("kind") ?? "", source.Number("size"), source.Moment("captured"), source.Text("comment", keepsLines: true))
        {
            Earlier = source.Part("earlier") is { } earlier ? new SourceDescription(earlier.Text("name") ?? "", "", null, earlier.Moment("captured"), null) : null,
        };

    private static ReportedOutcome Outcome(JsonElement outcome) => new(
        JsonVerdictReader.Required(outcome, "id"),
        outcome.Text("title") ?? "",
        outcome.Deciding<DetectorOutcomeKind>("outcome"),
        outcome.List("missing", MostTexts, JsonVerdictReader.Missing),
        outcome.Text("error"));

    /// <summary>A thread's number and name, or null when it has no number to be called by.</summary>
    private static ReportedThread? Name(JsonElement thread) =>
        thread.Id("id") is { } id && thread.Number("index") is { } index and >= 0 and <= int.MaxValue ? new ReportedThread(id, (int)index, thread.Text("name")) : null;

    /// <summary>A thread's stack, or null when the report has none of it.</summary>
    private static ReportedStack? Thread(JsonElement thread) => thread.Field("frames") is null ? null : JsonVerdictReader.Stack(thread, null);
}
