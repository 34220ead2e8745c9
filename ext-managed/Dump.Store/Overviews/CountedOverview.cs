using System.Collections.Immutable;
using Dump.Analysis.Merging;
using Dump.Analysis.Rules;
using Dump.Model.Contract;
using Dump.Model.Merging;
using Dump.Model.Text;
using Dump.Model.Verdicts;

namespace Dump.Store.Overviews;

/// <summary>
/// The overview of a store of any size: what the tables count, and of each of the largest buckets one record. So few new records cost next to nothing.
/// </summary>
internal static class CountedOverview
{
    private const int MostNotAnalysed = 500;
    private const int MostModules = 100_000;
    private const int MostListed = 20_000;

    /// <summary>Makes it.</summary>
    /// <param name="queries">Asks the tables.</param>
    /// <param name="find">Reads a record; null where it is damaged.</param>
    /// <param name="largest">How many buckets of each kind are shown; those that cannot be are said to be passed over.</param>
    /// <param name="options">Rules.</param>
    public static TriageOverview Of(OverviewQueries queries, Func<string, TriageRecord?> find, int largest, OverviewOptions options)
    {
        List<int> left = [];

        // Counted once for all that is listed: each time passes over an index of all records.
        IReadOnlyList<CountedBucket> listed = queries.Counted(MostListed);
        ImmutableArray<TriageBucket> hangs = Buckets(queries, find, Largest(queries, listed, SignatureKind.Verdict, largest), options, left);
        ImmutableArray<TriageBucket> others = Buckets(queries, find, Largest(queries, listed, SignatureKind.Stack, largest), options, left);
        ImmutableArray<TriageRecord> failed = [.. queries.NotAnalysed(MostNotAnalysed).Select(find).OfType<TriageRecord>()];
        ImmutableDictionary<string, int> answers = queries.Answers();
        (DateTime? first, DateTime? last) = queries.Span();
        return new TriageOverview
        {
            Records = [.. hangs.Concat(others).SelectMany(b => b.Records).Concat(failed)],
            Hangs = [.. hangs.OrderByDescending(b => b.Confidence).ThenByDescending(b => b.Dumps).ThenBy(b => b.Signature.ClassHash, StringComparer.Ordinal)],
            Others = others,
            Failed = failed,
            Modules = Modules(queries, options.KnownModules),
            PassedOver = left.Count == 0 ? [] : [LeftOut(left)],
            Counted = new TriageTotals
            {
                Dumps = answers.Values.Sum(),
                Answers = answers,
                LikelyLackingData = queries.Lacking(TriageAnswers.Likely),
                SuspectedLackingData = queries.Lacking(TriageAnswers.Suspected),
                CrashedBeside = queries.CrashedBeside(DetectorIds.Crashed),
                Hangs = queries.Buckets(nameof(SignatureKind.Verdict), null),
                CrashPlaces = queries.Buckets(nameof(SignatureKind.Verdict), DetectorIds.Crashed),
                Others = queries.Buckets(nameof(SignatureKind.Stack), null),
                Modules = queries.Modules(),
                Buckets = [.. listed.Select(b => new BucketLine(b.Hash, b.Detector, b.Title, b.Dumps, b.First, b.Last))],
                FirstSeen = first,
                LastSeen = last,
            },
        };
    }

    private static IEnumerable<CountedBucket> Largest(OverviewQueries queries, IReadOnlyList<CountedBucket> listed, SignatureKind kind, int largest)
    {
        CountedBucket[] known = [.. listed.Where(b => b.Kind == kind.ToString()).Take(largest)];
        return known.Length == largest || listed.Count < MostListed ? known : queries.Counted(largest, kind.ToString());
    }

    /// <summary>What must be said of buckets that the tables have and this version cannot show.</summary>
    private static TriageGap LeftOut(List<int> dumps) => new(TriageGapKind.NotLookedAt, "groups of the store",
        $"{CountText.Of(dumps.Count, "group")} of {CountText.Of(dumps.Sum(), "dump")} cannot be shown, because another version put them together or their example "
            + "is damaged; merge --into a new store rebuilds them");

    /// <summary>What a bucket is called comes from the record that is shown, by the reader of records; how many there are from the tables.</summary>
    private static ImmutableArray<TriageBucket> Buckets(
        OverviewQueries queries, Func<string, TriageRecord?> find, IEnumerable<CountedBucket> largest, OverviewOptions options, List<int> left)
    {
        List<TriageBucket> buckets = [];
        foreach ((string hash, _, _, _, int dumps, DateTime? first, DateTime? last) in largest)
        {
            if (queries.Example(hash) is not { } identity || find(identity) is not { Report: not null } record
                || TriageOverviews.Of([record], options) is not { } single
                || single.Hangs.Concat(single.Others).FirstOrDefault(b => b.Signature.ClassHash == hash) is not { } bucket)
            {
                left.Add(dumps);
                continue;
            }

            buckets.Add(bucket with
            {
                Counted = dumps,
                CountedUndecidable = queries.Undecidable(hash),
                FirstSeen = first,
                LastSeen = last,
                Trend = queries.Trend(hash),
                Processes = queries.Names(hash, "process"),
                Machines = queries.Names(hash, "machine"),
                IsPerhapsSeveral = false,
            });
        }

        return [.. buckets];
    }

    private static ImmutableArray<ModuleUse> Modules(OverviewQueries queries, KnownModules known) =>
    [
        .. queries.CountedModules(MostModules).GroupBy(m => m.Name, StringComparer.OrdinalIgnoreCase).Select(g => Use([.. g], known))
            .OrderBy(u => u.KnownAs is null ? u.IsSystem == true ? 2 : 1 : 0).ThenBy(u => u.Name, StringComparer.OrdinalIgnoreCase),
    ];

    private static ModuleUse Use((string Name, string? Version, string? Vendor, string? System, int Dumps)[] uses, KnownModules known)
    {
        string name = uses[0].Name;
        KnownModule? entry = known.Find(name);
        return new ModuleUse(
            name,
            uses.Select(u => u.Vendor).FirstOrDefault(v => !string.IsNullOrEmpty(v)),
            uses.Any(u => u.System == "no") ? false : uses.Any(u => u.System == "yes") ? true : null,
            entry is null ? null : $"{KnownModules.Words(entry.Category)} of {entry.Vendor}",
            [
                .. uses.GroupBy(u => u.Version ?? "", StringComparer.Ordinal)
                    .Select(g => (Version: g.Key.Length == 0 ? null : g.Key, Count: g.Sum(u => u.Dumps))).OrderByDescending(v => v.Count)
                    .ThenBy(v => v.Version, StringComparer.Ordinal),
            ],
            uses.Sum(u => u.Dumps));
    }
}
