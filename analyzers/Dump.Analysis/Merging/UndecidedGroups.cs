using System.Collections.Immutable;
using System.Text.RegularExpressions;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Process;
using Dump.Model.Reported;

namespace Dump.Analysis.Merging;

/// <summary>Groups the dumps that could not be decided by what they lack; how many threads, and which, differs from dump to dump.</summary>
internal static partial class UndecidedGroups
{
    public static ImmutableArray<UndecidedGroup> Of(ImmutableArray<TriageRecord> records) =>
    [
        .. records.Where(r => r.Report is { IsUndecidable: true })
            .SelectMany(r => Lacks(r.Report!).Select(m => (Record: r, Missing: m)))
            .GroupBy(m => Lack(m.Missing, m.Record.Report!.Process.Family))
            .Select(g => new UndecidedGroup(
                g.Select(m => m.Missing).OrderBy(m => m.Count).ThenBy(m => m.What, StringComparer.Ordinal).ThenBy(m => m.Consequence, StringComparer.Ordinal)
                    .ThenBy(m => m.CaptureAdvice, StringComparer.Ordinal).First(),
                [.. g.Select(m => m.Record).Distinct()]))
            .OrderByDescending(g => g.Records.Length).ThenBy(g => g.Missing.What, StringComparer.Ordinal)
            .ThenBy(g => g.Missing.Consequence, StringComparer.Ordinal)
            .ThenBy(g => g.Missing.CaptureAdvice, StringComparer.Ordinal),
    ];

    private static IEnumerable<MissingData> Lacks(HangReport report)
    {
        ImmutableArray<MissingData> lacks = report.AllMissing;
        return lacks.Length > 0
            ? lacks
            : [.. report.Unanswered.Select(o => MissingData.Of(
                MissingKind.DetectorAnswer, subject: $"{o.DetectorId} ({o.Title})", detail: o.Error ?? "why is unknown")).Distinct()];
    }

    /// <summary>
    /// What is the same for the same lack: its kind, what it is of, and what supplies it on which system. Records of earlier versions have no kind: of them the
    /// words are compared without their numbers, and so are the words on a detector that failed.
    /// </summary>
    private static (MissingKind Kind, string Of, CaptureKind Capture, string Given, OperatingSystemFamily? Family) Lack(MissingData missing, OperatingSystemFamily family) =>
        missing.Kind is MissingKind.Unknown or MissingKind.DetectorAnswer
            ? (missing.Kind, Number().Replace($"{missing.What}\n{missing.Consequence}\n{missing.CaptureAdvice}", "#"), missing.Capture, "", null)
            : (missing.Kind, missing.Subject ?? "", missing.Capture, missing.Capture == CaptureKind.AsGiven ? missing.CaptureAdvice : "", family);

    [GeneratedRegex(@"0x[0-9a-f]+|\d+", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex Number();
}
