using System.Data.Common;

namespace Dump.Store.Engines;

/// <summary>What differs between databases. Used by one thread at a time.</summary>
internal interface IDatabase : IDisposable
{
    /// <summary>Where it is, for people, without secrets (sanitised).</summary>
    string Name { get; }

    /// <summary>What it was opened for.</summary>
    StoreAccess Access { get; }

    /// <summary>The open connection.</summary>
    DbConnection Connection { get; }

    /// <summary>Version of the schema; 0 where there are no tables yet.</summary>
    /// <exception cref="Triage.Records.UnusableStoreException">What is there is no store.</exception>
    int ReadVersion();

    /// <summary>Says which version the schema has.</summary>
    void WriteVersion(int version);

    /// <summary>Refuses a store whose tables are not those that this program makes.</summary>
    /// <param name="version">Version of the schema.</param>
    /// <exception cref="Triage.Records.UnusableStoreException">They are not.</exception>
    void CheckTables(int version);

    /// <summary>A statement of the schema in the words of this database.</summary>
    string Translate(string statement);

    /// <summary>Begins a transaction that excludes other writers of the same record.</summary>
    /// <param name="identity">The record; null for a change of the schema, which excludes all.</param>
    DbTransaction BeginWrite(string? identity);

    /// <summary>Within a transaction, waits for all that write records and lets none begin.</summary>
    void ExcludeWriters();

    /// <summary>What an error of this database means, as a clause that says what to do.</summary>
    string Explain(DbException error);

    /// <summary>True for an error after which the same transaction may succeed.</summary>
    bool IsPassing(DbException error);
}
