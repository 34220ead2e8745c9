using System.Collections.Immutable;
using System.Text.RegularExpressions;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Reported;

namespace Dump.Analysis.Merging;

/// <summary>
/// Groups the dumps that could not be decided by what they lack. Numbers in the words do not tell lacks
/// apart: how many threads have no stack differs from dump to dump.
/// </summary>
internal static partial class UndecidedGroups
{
    public static ImmutableArray<UndecidedGroup> Of(ImmutableArray<TriageRecord> records) =>
    [
        .. records.Where(r => r.Report is { IsUndecidable: true })
            .SelectMany(r => Lacks(r.Report!).Select(m => (Record: r, Missing: m, Key: Number().Replace($"{m.What}\n{m.Consequence}\n{m.CaptureAdvice}", "#"))))
            .GroupBy(m => m.Key, StringComparer.Ordinal)
            .Select(g => new UndecidedGroup(
                g.Select(m => m.Missing).OrderBy(m => m.What, StringComparer.Ordinal).ThenBy(m => m.Consequence, StringComparer.Ordinal)
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
            : [.. report.Unanswered.Select(o => new MissingData($"the answer of {o.DetectorId} ({o.Title}), which failed", o.Error ?? "why is unknown", ""))
                .Distinct()];
    }

    [GeneratedRegex(@"0x[0-9a-f]+|\d+", RegexOptions.CultureInvariant, 60_000)]
    private static partial Regex Number();
}
