using Dump.Analysis.Merging;
using Dump.Model.Merging;
using Dump.Store.Engines;
using Dump.Triage.Records;

namespace Dump.Store;

/// <summary>Opens stores by what a command line names.</summary>
public static class RecordStores
{
    /// <summary>Opens a store to read from it.</summary>
    /// <param name="place">A file, or the address <c>postgres://...</c> of a database.</param>
    /// <exception cref="UnusableStoreException">It cannot be opened, is none, or is of another version.</exception>
    public static IRecordStore Read(string place) => Open(place, StoreAccess.Read);

    /// <summary>Opens a store to write to it; made when it is not there, brought up to date when an earlier version made it.</summary>
    /// <param name="place">A file, or the address <c>postgres://...</c> of a database.</param>
    /// <exception cref="UnusableStoreException">It cannot be opened, is none, or is of a newer version.</exception>
    public static IRecordStore Write(string place) => Open(place, StoreAccess.Write);

    /// <summary>True when there are so many records; false of a place that this class has not opened.</summary>
    /// <param name="store">The store.</param>
    /// <param name="least">How many.</param>
    /// <exception cref="UnusableStoreException">The store cannot be read.</exception>
    public static bool HasMany(IRecordStore store, long least) => store is DatabaseStore database && database.Count() >= least;

    /// <summary>
    /// Counts modules from where the last overview came to, and keeps that. Only in what is a store of this version; it is neither made nor brought up to date.
    /// </summary>
    /// <param name="place">A file, or the address <c>postgres://...</c> of a database.</param>
    /// <exception cref="UnusableStoreException">It cannot be opened, is none, or is of another version.</exception>
    /// <exception cref="UnwritableRecordException">What was counted cannot be kept.</exception>
    public static void KeepCounts(string place)
    {
        using DatabaseStore store = Open(place, StoreAccess.Keep);
        store.KeepCounts();
    }

    /// <summary>
    /// The overview of a store of many records: what its tables count, and one record of each of the largest groups. Modules are counted from where the last
    /// overview came to; a store that was opened to write to it keeps how far this one came.
    /// </summary>
    /// <param name="store">A store that this class has opened.</param>
    /// <param name="least">The fewest records that are many.</param>
    /// <param name="largest">How many groups of each kind are shown.</param>
    /// <param name="options">Rules.</param>
    /// <returns>Null when there are fewer records.</returns>
    /// <exception cref="UnusableStoreException">The store cannot be read.</exception>
    /// <exception cref="UnwritableRecordException">What was counted cannot be kept.</exception>
    public static TriageOverview? Overview(IRecordStore store, long least, int largest, OverviewOptions options) =>
        HasMany(store, least) ? ((DatabaseStore)store).Overview(largest, options) : null;

    private static DatabaseStore Open(string place, StoreAccess access) =>
        new(PostgresAddress.IsOne(place) ? PostgresDatabase.Open(place, access) : SqliteDatabase.Open(place, access));
}
