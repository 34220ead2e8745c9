using Dump.Analysis.Merging;
using Dump.Cli.Options;
using Dump.Model.Merging;
using Dump.Triage.Records;

namespace Dump.Cli.Running;

/// <summary>
/// Opens places of records by what the command line names. The libraries of databases are loaded only here, and only for a database.
/// </summary>
internal static class Stores
{
    /// <summary>Opens a place to read from it: a folder or a database.</summary>
    /// <exception cref="UnusableStoreException">There are no records that can be read.</exception>
    public static IRecordStore Read(string place) => Directory.Exists(place) ? FolderStore.Read(place) : ReadDatabase(place);

    /// <summary>Opens a place to write to it: what exists stays what it is, a name that ends in a slash becomes a folder, any other a database.</summary>
    /// <exception cref="UnusableStoreException">There is something else.</exception>
    /// <exception cref="UnwritableRecordException">It cannot be written.</exception>
    public static IRecordStore Write(string place) => 
        Directory.Exists(place) || (Path.EndsInDirectorySeparator(place) && !StorePlace.IsAddress(place)) ? FolderStore.Write(place) : WriteDatabase(place);

    /// <summary>True when a database has so many records.</summary>
    /// <exception cref="UnusableStoreException">It cannot be read.</exception>
    public static bool HasMany(IRecordStore store, long least) => Store.RecordStores.HasMany(store, least);

    /// <summary>Keeps in a database what an overview counts; makes none.</summary>
    /// <exception cref="UnusableStoreException">It is no store of records of this version.</exception>
    /// <exception cref="UnwritableRecordException">It cannot be written.</exception>
    public static void KeepCounts(string place) => Store.RecordStores.KeepCounts(place);

    /// <summary>The overview of a store of many records, as its tables have counted it; null when it has fewer.</summary>
    /// <exception cref="UnusableStoreException">It cannot be read.</exception>
    public static TriageOverview? Overview(IRecordStore store, long least, int largest, OverviewOptions options) =>
        Store.RecordStores.Overview(store, least, largest, options);

    /// <summary>Opens a database to read from it.</summary>
    /// <exception cref="UnusableStoreException">It is no store of records.</exception>
    public static IRecordStore ReadDatabase(string place) => Store.RecordStores.Read(place);

    /// <summary>Opens a database to write to it; made when it is not there.</summary>
    /// <exception cref="UnusableStoreException">It is no store of records.</exception>
    public static IRecordStore WriteDatabase(string place) => Store.RecordStores.Write(place);
}
