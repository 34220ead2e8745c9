using System.Collections.Immutable;
using Dump.Model.Collections;
using Dump.Model.Managed;
using Dump.Model.Merging;
using Dump.Model.Process;
using Dump.Model.Reported;

namespace Dump.Analysis;

/// <summary>
/// Leaves out of facts and documents what strings of the dumped process say, for readers who must not see it: messages of exceptions, keys and values of
/// collections, text of objects, paths and queries of requests, the comment with which a dump was written, the machine's name. Numbers and names (of types, functions, modules, threads,
/// kernel objects and files) stay.
/// </summary>
public static class ProcessStrings
{
    /// <summary>What stands in place of such text.</summary>
    public const string Mark = "(withheld)";

    private static readonly ImmutableHashSet<string> s_textArrays = ["System.Char[]", "System.Byte[]", "System.SByte[]"];

    /// <summary>
    /// Facts without it, to be judged. The dump's comment stays, because detectors read whether it names a hung window or an exception; documents lose it.
    /// </summary>
    public static ProcessSnapshot Withhold(ProcessSnapshot snapshot) => snapshot with
    {
        Exception = snapshot.Exception is { } exception ? exception with { Thrown = [.. exception.Thrown.Select(Withhold)] } : null,
        Collections = [.. snapshot.Collections.Select(Withhold)],
        Requests = snapshot.Requests is { } requests ? requests with { Requests = [.. requests.Requests.Select(Withhold)] } : null,
        CollectionScan = snapshot.CollectionScan is { } scan ? scan with { Findings = [.. scan.Findings.Select(Withhold)] } : null,
    };

    /// <summary>A document without it; one of another kind as it is.</summary>
    /// <param name="document">A document that was made of facts without it.</param>
    public static T WithholdFrom<T>(T document) => document switch
    {
        ProcessDocument process => (T)(object)Withhold(process),
        ObjectDocument described => (T)(object)Withhold(described),
        StackObjectDocument stack => (T)(object)(stack with { Objects = [.. stack.Objects.Select(o => o with { Text = Hide(o.Text) })] }),
        _ => document,
    };

    /// <summary>Records without the machines' names and without what a failed analysis said last.</summary>
    public static ImmutableArray<TriageRecord> Withhold(ImmutableArray<TriageRecord> records) =>
    [
        .. records.Select(r => r with
        {
            Report = r.Report is { } report ? (HangReport)Withhold(report) : null,
            Reason = r.Outcome == TriageOutcome.Crashed ? Hide(r.Reason) : r.Reason,
        }),
    ];

    private static ProcessDocument Withhold(ProcessDocument document) => document with
    {
        Source = document.Source with { Comment = Hide(document.Source.Comment) },
        Process = document.Process with { Machine = Hide(document.Process.Machine) },
    };

    private static ObjectDocument Withhold(ObjectDocument described)
    {
        bool isText = s_textArrays.Contains(described.Type);
        return described with
        {
            Text = Hide(described.Text),
            Fields = [.. described.Fields.Select(f => f with { Value = HideText(f.Value) })],
            Elements = [.. described.Elements.Select(e => e with { Key = HideText(e.Key), Value = isText ? Hide(e.Value) : HideText(e.Value) })],
        };
    }

    private static ThrownException Withhold(ThrownException thrown) => thrown with { Message = Hide(thrown.Message) };

    private static RequestInFlight Withhold(RequestInFlight request) =>
        request with { Path = Hide(request.Path), Query = Hide(request.Query), Text = Hide(request.Text) };

    private static CollectionFinding Withhold(CollectionFinding finding) =>
        finding with { Entries = [.. finding.Entries.Select(e => e with { Key = HideText(e.Key), Value = HideText(e.Value) })] };

    private static string? Hide(string? text) => text is null ? null : Mark;

    /// <summary>Strings and characters stand in quotation marks; numbers and references stay.</summary>
    private static string? HideText(string? value) => value is ['"' or '\'', ..] ? Mark : value;
}
