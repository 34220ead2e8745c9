using System.Buffers;
using System.Globalization;
using System.Text.RegularExpressions;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Verdicts;

namespace Dump.Reports.Merging;

/// <summary>
/// A line for each dump of a folder, as RFC 4180 has it: commas, CR LF, quotation marks doubled. Spreadsheets take a field that begins with =, +, -, @ or a tab
/// for a formula and run it; such text gets an apostrophe in front.
/// </summary>
public static partial class OverviewCsv
{
    private static readonly string[] s_columns =
    [
        "path", "member", "size", "outcome", "reason", "undecidable", "detector", "title", "confidence", "culprit", "signature", "group", "process",
        "processId", "machine", "system", "captured", "identity", "exitCode", "tool", "lookAt",
    ];

    /// <summary>Writes the lines, the names of the columns first.</summary>
    /// <param name="overview">What the folder shows.</param>
    /// <param name="output">Where to write.</param>
    public static void Write(TriageOverview overview, TextWriter output)
    {
        WriteLine(output, s_columns);
        OverviewGroups groups = new(overview);
        foreach (TriageRecord record in overview.Records)
        {
            WriteLine(output, Fields(record, groups.Of(record)));
        }
    }

    // Spreadsheets take their full-width forms for them, too.
    private static readonly SearchValues<char> s_formulaStarts = SearchValues.Create("=+-@\uFF1D\uFF0B\uFF0D\uFF20");

    /// <summary>
    /// What would begin a formula where a spreadsheet takes semicolons for ends of fields, as it does in many languages: there quotation marks do not help.
    /// </summary>
    [GeneratedRegex("(;[\\s\"]*)([=+\\-@\uFF1D\uFF0B\uFF0D\uFF20])")]
    private static partial Regex InnerFormula();

    /// <summary>A field as it stands in the file.</summary>
    /// <param name="text">Text of any content; null is empty.</param>
    public static string Field(string? text)
    {
        string clean = SafeText.Clean(text);
        string safe = InnerFormula().Replace(clean, "$1'$2");
        safe = s_formulaStarts.Contains(safe.TrimStart().FirstOrDefault()) || text is ['\t' or '\r', ..] ? $"'{safe}" : safe;
        return safe.AsSpan().IndexOfAny(",;\"\r\n'") >= 0 ? $"\"{safe.Replace("\"", "\"\"", StringComparison.Ordinal)}\"" : safe;
    }

    private static IEnumerable<string?> Fields(TriageRecord record, TriageBucket? group)
    {
        HangReport? report = record.Report;
        ReportedVerdict? verdict = report is { Verdicts: { IsEmpty: false } verdicts } ? verdicts[0] : null;
        return
        [
            record.Source.Path, record.Source.Member, Number(record.Source.Size), record.Outcome.ToString(), record.Reason,
            report is null ? null : report.IsUndecidable ? "true" : "false",
            verdict?.DetectorId, verdict?.Title, verdict?.Confidence.ToString(), verdict?.Culprit?.Module,
            group?.Signature.ClassHash, group?.Title,
            report?.Process.Service, Number(report?.Process.Id), report?.Process.Machine, report?.Process.System, OverviewGroups.Captured(record),
            record.Identity, Number(record.ExitCode), record.Tool, verdict is null ? null : DumpTable.PlaceOf(verdict),
        ];
    }

    private static void WriteLine(TextWriter output, IEnumerable<string?> fields)
    {
        output.Write(string.Join(',', fields.Select(Field)));
        output.Write("\r\n");
    }

    private static string? Number(long? value) => value?.ToString(CultureInfo.InvariantCulture);
}
