using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Reported;

namespace Dump.Analysis.Merging;

/// <summary>Groups the dumps that could not be decided by what they lack; how many threads, and which, differs from dump to dump.</summary>
internal static class UndecidedGroups
{
    public static ImmutableArray<UndecidedGroup> Of(ImmutableArray<TriageRecord> records) =>
    [
        .. records.Where(r => r.Report is { IsUndecidable: true })
            .SelectMany(r => Lacks(r.Report!).Select(m => (Record: r, Missing: m)))
            .GroupBy(m => m.Missing.Lack)
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
        MissingData[] lacks = [.. report.Missing.Concat(report.Unanswered.SelectMany(o => o.Missing)).Distinct()];
        return lacks.Length > 0
            ? lacks
            : [.. report.Unanswered.Select(o => MissingData.Of(
                MissingKind.DetectorAnswer, subject: $"{o.DetectorId} ({o.Title})", detail: o.Error ?? "why is unknown")).Distinct()];
    }
}
