using Dump.Store.Engines;
using Dump.Triage.Records;

namespace Dump.Store;

/// <summary>Opens stores by what a command line names.</summary>
public static class RecordStores
{
    /// <summary>Opens a store to read from it.</summary>
    /// <param name="place">A file, or the address <c>postgres://...</c> of a database.</param>
    /// <exception cref="UnusableStoreException">It cannot be opened, is none, or is of another version.</exception>
    public static IRecordStore Read(string place) => new DatabaseStore(Open(place, write: false));

    /// <summary>Opens a store to write to it; made when it is not there, brought up to date when an earlier version made it.</summary>
    /// <param name="place">A file, or the address <c>postgres://...</c> of a database.</param>
    /// <exception cref="UnusableStoreException">It cannot be opened, is none, or is of a newer version.</exception>
    public static IRecordStore Write(string place) => new DatabaseStore(Open(place, write: true));

    private static IDatabase Open(string place, bool write) =>
        PostgresAddress.IsOne(place) ? PostgresDatabase.Open(place, write) : SqliteDatabase.Open(place, write);
}
