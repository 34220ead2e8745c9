using Dump.Analysis.Merging;
using Dump.Model.Merging;
using Dump.Triage;
using Dump.Triage.Records;
using Dump.Triage.Runs;

namespace Dump.Cli.Running;

/// <summary>The overview of a store with very many records, of which not every one is read.</summary>
internal static class LargeStore
{
    /// <summary>The fewest records that are very many, where nobody says how many groups are wanted.</summary>
    public const long Least = 10_000;

    /// <summary>Groups of each kind that are shown, where nobody says so.</summary>
    public const int Shown = 200;

    /// <summary>Makes it, with what must be said of runs that did not end.</summary>
    /// <param name="place">The store.</param>
    /// <param name="largest">How many groups are wanted; null to let the number of records decide.</param>
    /// <param name="options">Rules.</param>
    /// <param name="warnings">What is missing or was passed over.</param>
    /// <returns>Null when every record is to be read.</returns>
    /// <exception cref="UnusableStoreException">It cannot be read.</exception>
    public static TriageOverview? Overview(string place, int? largest, OverviewOptions options, out IReadOnlyCollection<TriageWarning> warnings)
    {
        long least = largest is null ? Least : 0;
        using IRecordStore store = Stores.ReadDatabase(place);
        if (!Stores.HasMany(store, least))
        {
            warnings = [];
            return null;
        }

        KeepCounts(place);
        warnings = TriageFolders.Gaps(store);
        return Stores.Overview(store, least, largest ?? Shown, options);
    }

    /// <summary>Keeps what is counted where that is possible: how far it was counted is no more than a saving of time.</summary>
    private static void KeepCounts(string place)
    {
        try
        {
            Stores.KeepCounts(place);
        }
        catch (Exception error) when (error is UnusableStoreException or UnwritableRecordException)
        {
            // The overview counts what is not kept.
        }
    }
}
