using System.Runtime.InteropServices;
using System.Text.Json;
using Dump.Model.Contract;
using Dump.Model.Reported;

namespace Dump.Reports.Json;

/// <summary>
/// Reads a stored <c>dump-report/1</c>, of this version or another one: fields that it does not know are passed over, fields
/// that are missing are unknown. A confidence or an outcome that this version does not know makes the report unreadable, for
/// nothing else may stand in for it; other names that a newer version added only describe, and count as unknown or as the
/// weakest. The file may come from anybody: every list has a limit and every text is cleaned (<see cref="StoredJson"/>).
/// </summary>
public static class JsonReportReader
{
    /// <summary>Reads a document.</summary>
    /// <param name="document">UTF-8 text, with or without byte order mark.</param>
    /// <exception cref="InvalidReportException">It is no such report, or a damaged one.</exception>
    public static HangReport Read(ReadOnlyMemory<byte> document) => Read(document.Span);

    /// <summary>Reads a report that is part of another document.</summary>
    /// <param name="report">The report.</param>
    /// <exception cref="InvalidReportException">It is no such report, or a damaged one.</exception>
    public static HangReport Read(JsonElement report) => Read(JsonMarshal.GetRawUtf8Value(report));

    private static HangReport Read(ReadOnlySpan<byte> document)
    {
        HangReport report = StoredJson.Read<HangReport>(document, SchemaNames.Report);
        return report.Verdicts.IsEmpty && !report.Unanswered.IsEmpty ? report with { IsUndecidable = true } : report;
    }
}
