using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Merging;

/// <summary>
/// Groups the records of a folder of dumps. The same records give the same overview, whatever their order;
/// the rules are applied to what the stored reports say, nothing is read again.
/// </summary>
public static class TriageOverviews
{
    /// <summary>
    /// Groups them. Of several records of one dump, as several runs leave them, one counts: with a report rather than without, of the newest version of the
    /// tool, then of the last tool in ordinal order, of the first path.
    /// </summary>
    /// <param name="records">The records.</param>
    /// <param name="options">Rules; null for those that come with this program.</param>
    public static TriageOverview Of(IEnumerable<TriageRecord> records, OverviewOptions? options = null)
    {
        OverviewOptions settings = options ?? OverviewOptions.Default;
        ImmutableArray<TriageRecord> all = [.. Sorted(records.GroupBy(r => r.Identity, StringComparer.Ordinal).Select(Best)
            .Select(r => Labelled(r, settings)))];
        (TriageRecord Record, HangSignature Signature)[] signed =
            [.. all.Where(r => r.Report is not null).Select(r => (r, HangSignatures.Of(r.Report!))).Where(r => r.Item2 is not null)
                .Select(r => (r.r, r.Item2!))];
        TriageBucket[] buckets =
        [
            .. CrashPlaces.Joined(signed).GroupBy(s => s.Signature.ClassHash, StringComparer.Ordinal).Select(g => TriageBuckets.Of([.. g], settings)),
        ];
        return new TriageOverview
        {
            Records = all,
            Hangs =
            [
                .. buckets.Where(b => b.Signature.Kind == SignatureKind.Verdict)
                    .OrderByDescending(b => b.Confidence).ThenByDescending(b => b.Records.Length).ThenBy(b => b.Signature.ClassHash, StringComparer.Ordinal),
            ],
            Others =
            [
                .. buckets.Where(b => b.Signature.Kind == SignatureKind.Stack)
                    .OrderByDescending(b => b.Records.Length).ThenBy(b => b.Signature.ClassHash, StringComparer.Ordinal),
            ],
            Undecided = UndecidedGroups.Of(all),
            Failed = [.. all.Where(r => r.Report is null)],
            Modules = ModuleUses.Of(all, settings.KnownModules),
        };
    }

    /// <summary>By path, member and identity.</summary>
    internal static IOrderedEnumerable<TriageRecord> Sorted(IEnumerable<TriageRecord> records) => records
        .OrderBy(r => r.Source.Path, StringComparer.Ordinal).ThenBy(r => r.Source.Member, StringComparer.Ordinal)
        .ThenBy(r => r.Identity, StringComparer.Ordinal);

    private static TriageRecord Labelled(TriageRecord record, OverviewOptions settings) =>
        record.Report is { } report ? record with { Report = settings.Tags.Label(Ordered(report)) } : record;

    /// <summary>The report with the verdict in front that it is grouped by, so that all that is shown of a dump is about that one.</summary>
    private static HangReport Ordered(HangReport report) => HangSignatures.FirstVerdict(report) is { } first && !ReferenceEquals(first, report.Verdicts[0])
        ? report with { Verdicts = [first, .. report.Verdicts.Where(v => !ReferenceEquals(v, first))] }
        : report;

    /// <summary>Of several records of one dump the one that counts.</summary>
    /// <param name="copies">The records, at least one.</param>
    public static TriageRecord Best(IEnumerable<TriageRecord> copies) => copies
        .OrderBy(r => r.Report is null).ThenByDescending(r => VersionOf(r.Tool)).ThenByDescending(r => r.Tool, StringComparer.Ordinal)
        .ThenBy(r => r.Source.Path, StringComparer.Ordinal).ThenBy(r => r.Source.Member, StringComparer.Ordinal)
        .ThenBy(r => r.Outcome).ThenBy(r => r.Reason, StringComparer.Ordinal).First();

    /// <summary>The version in a line such as <c>dumpanalyze 0.10.0 build 3f2c</c>; null, which comes before all others, where there is none.</summary>
    private static Version? VersionOf(string tool) =>
        tool.Split(' ', 3) is [_, var text, ..] && Version.TryParse(text.Contains('.', StringComparison.Ordinal) ? text : text + ".0", out Version? version)
            ? version
            : null;
}
