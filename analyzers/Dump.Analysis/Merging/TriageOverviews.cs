using System.Collections.Immutable;
using Dump.Analysis.Rules;
using Dump.Analysis.Rules.Tags;
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

/// <summary>
/// The modules of all dumps with their versions, those first that somebody would ask about: known hooks and security products, then what is not the system's.
/// </summary>
internal static class ModuleUses
{
    public static ImmutableArray<ModuleUse> Of(ImmutableArray<TriageRecord> records, KnownModules known) =>
    [
        .. records.Where(r => r.Report is not null)
            .SelectMany((r, index) => r.Report!.Modules.Select(m => (Dump: index, Module: m)))
            .GroupBy(m => m.Module.Name, StringComparer.OrdinalIgnoreCase)
            .Select(g => Use([.. g], known))
            .OrderBy(u => u.KnownAs is null ? u.IsSystem == true ? 2 : 1 : 0).ThenBy(u => u.Name, StringComparer.OrdinalIgnoreCase),
    ];

    private static ModuleUse Use((int Dump, ReportedModule Module)[] uses, KnownModules known)
    {
        string name = uses[0].Module.Name;
        KnownModule? entry = known.Find(name);
        return new ModuleUse(
            name,
            uses.Select(u => u.Module.Vendor).OfType<string>().GroupBy(v => v, StringComparer.Ordinal).OrderByDescending(g => g.Count())
                .ThenBy(g => g.Key, StringComparer.Ordinal).FirstOrDefault()?.Key,
            uses.Any(u => u.Module.IsSystem == false) ? false : uses.Any(u => u.Module.IsSystem == true) ? true : null,
            entry is null ? null : $"{KnownModules.Words(entry.Category)} of {entry.Vendor}",
            [
                .. uses.DistinctBy(u => (u.Dump, u.Module.Version)).GroupBy(u => u.Module.Version ?? "", StringComparer.Ordinal)
                    .Select(g => (Version: g.Key.Length == 0 ? null : g.Key, Count: g.Count())).OrderByDescending(v => v.Count)
                    .ThenBy(v => v.Version, StringComparer.Ordinal),
            ],
            uses.Select(u => u.Dump).Distinct().Count());
    }
}

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
            Processes = Counted(ordered.Select(s => s.Record.Report!.Process.Service)),
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

/// <summary>The rules that an overview applies to stored reports.</summary>
public sealed record OverviewOptions
{
    /// <summary>The rules that come with this program.</summary>
    public static OverviewOptions Default { get; } = new();

    /// <summary>Libraries that are known to be loaded into other people's processes.</summary>
    public KnownModules KnownModules { get; init; } = KnownModules.Default;

    /// <summary>Hangs that others have explained.</summary>
    public KnownIssues KnownIssues { get; init; } = KnownIssues.Default;

    /// <summary>Labels of frames.</summary>
    public StackTags Tags { get; init; } = StackTags.Default;
}
