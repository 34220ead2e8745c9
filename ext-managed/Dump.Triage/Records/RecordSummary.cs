using System.Collections.Immutable;
using System.Text.Json;
using Dump.Model.Facts;
using Dump.Model.Verdicts;

namespace Dump.Triage.Records;

/// <summary>A record with, in place of its report, what a line of results says of it.</summary>
/// <param name="Record">The record without its report.</param>
/// <param name="Process">File name of the program, or null.</param>
/// <param name="Captured">Time of the dump as the report writes it, or null.</param>
/// <param name="IsUndecidable">True when nothing was found and data are missing.</param>
/// <param name="LacksData">True when a detector failed or had no data, whatever others found.</param>
/// <param name="Verdicts">Detector, title and confidence, strongest first.</param>
internal sealed record RecordSummary(RecordContent Record, string? Process, string? Captured, bool IsUndecidable, bool LacksData,
    ImmutableArray<(string Id, string Title, Confidence Confidence)> Verdicts)
{
    private const int MostVerdicts = 100;

    /// <summary>Takes from a record's report what its line says; what is damaged there counts as missing.</summary>
    public static RecordSummary Of(RecordContent record)
    {
        JsonElement report = record.Report ?? default;
        return new RecordSummary(
            record with { Report = null },
            report.Field("process")?.Text("name"),
            report.Field("source")?.Text("captured"),
            report.IsTrue("undecidable"),
            report.List("detectors").Any(d => d.Text("outcome") is nameof(DetectorOutcomeKind.InsufficientData) or nameof(DetectorOutcomeKind.Failed)),
            [.. report.List("verdicts").Take(MostVerdicts).Select(Verdict).OfType<(string, string, Confidence)>()]);
    }

    private static (string Id, string Title, Confidence Confidence)? Verdict(JsonElement verdict) =>
        verdict.Text("id") is { } id && Enum.TryParse(verdict.Text("confidence"), out Confidence confidence) && Enum.IsDefined(confidence)
            ? (id, verdict.Text("title") ?? "", confidence)
            : null;
}
