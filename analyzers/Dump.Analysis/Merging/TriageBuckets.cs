using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Model.Reported;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Merging;

/// <summary>Makes a bucket of the records with one class signature. In each of their reports the verdict that it is grouped by comes first.</summary>
internal static class TriageBuckets
{
    private const int MostTitleEntries = 3;

    public static TriageBucket Of(ImmutableArray<(TriageRecord Record, HangSignature Signature)> signed, OverviewOptions settings)
    {
        (TriageRecord Record, HangSignature Signature)[] ordered =
        [
            .. signed.OrderByDescending(s => Verdict(s.Record)?.Confidence).ThenBy(s => Captured(s.Record) is null).ThenBy(s => Captured(s.Record))
                .ThenBy(s => s.Record.Identity, StringComparer.Ordinal),
        ];
        TriageRecord example = ordered[0].Record;
        DateTime[] moments = [.. ordered.Select(s => Captured(s.Record)).OfType<DateTime>().Order()];
        return new TriageBucket
        {
            Signature = ordered[0].Signature,
            DetectorId = Verdict(example)?.DetectorId,
            Title = Verdict(example)?.Title ?? StackTitle(ordered[0].Signature),
            Confidence = Verdict(example)?.Confidence,
            Records = [.. ordered.Select(s => s.Record)],
            FirstSeen = moments.Length == 0 ? null : moments[0],
            LastSeen = moments.Length == 0 ? null : moments[^1],
            Trend = [.. moments.GroupBy(DateOnly.FromDateTime).OrderBy(g => g.Key).Select(g => (g.Key, g.Count()))],
            Processes = Counted(ordered.Select(s => s.Record.Report!.Process.Name)),
            Machines = Counted(ordered.Select(s => s.Record.Report!.Process.Machine)),
            KnownIssues = Verdict(example) is { } verdict ? settings.KnownIssues.Of(example.Report!, verdict) : [],
            Tags = settings.Tags.Summary(Verdict(example)?.Stacks.SelectMany(s => s.Frames) ?? example.Report!.Focus?.Frames ?? []),
            Instances = Counted(ordered.Select(s => s.Signature.InstanceText)),
            Builds = Counted(ordered.Select(s => s.Signature.Builds)),
            IsPerhapsSeveral = ordered.GroupBy(s => s.Signature.Builds, StringComparer.Ordinal)
                .Any(b => b.DistinctBy(s => s.Signature.InstanceHash).Skip(1).Any()),
        };
    }

    /// <summary>The moment at which a dump was captured (UTC), or null.</summary>
    private static DateTime? Captured(TriageRecord record) => record.Report!.Source.Captured;

    private static ReportedVerdict? Verdict(TriageRecord record) => record.Report!.Verdicts.FirstOrDefault();

    /// <summary>What is on top of the stack that dumps without a verdict share.</summary>
    private static string StackTitle(HangSignature signature) =>
        $"No verdict; the thread to look at first is in {string.Join(", called by ", signature.ClassText.Split('\n').Skip(1).Take(MostTitleEntries))}";

    private static ImmutableArray<(string, int)> Counted(IEnumerable<string?> texts) =>
        [.. texts.OfType<string>().GroupBy(t => t, StringComparer.Ordinal).Select(g => (g.Key, Count: g.Count())).OrderByDescending(g => g.Count)
            .ThenBy(g => g.Key, StringComparer.Ordinal)];
}
