using System.Data.Common;
using System.Globalization;
using Dump.Analysis.Merging;
using Dump.Model.Merging;
using Dump.Store.Engines;
using Dump.Store.Overviews;
using Dump.Triage.Records;

namespace Dump.Store;

/// <summary>Records in a database.</summary>
internal sealed class DatabaseStore : IRecordStore
{
    private const int PageSize = 1000;
    private const int MostAttempts = 5;
    private const int MostReads = 2;
    private readonly IDatabase _database;
    private readonly Lock _gate = new();
    private readonly RecordTables _tables;

    /// <summary>Takes a database over, and brings its tables up to date where it is written to.</summary>
    /// <param name="database">The database, which is closed with this store.</param>
    /// <exception cref="UnusableStoreException">It is no store, or one of another version.</exception>
    public DatabaseStore(IDatabase database)
    {
        _database = database;
        _tables = new RecordTables(database);
        try
        {
            Prepare();
        }
        catch (DbException error)
        {
            database.Dispose();
            throw new UnusableStoreException($"{database.Name}: {database.Explain(error)}", error);
        }
        catch (Exception error) when (error is InvalidCastException or InvalidOperationException)
        {
            database.Dispose();
            throw Damaged(error);
        }
        catch
        {
            database.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public string Name => _database.Name;

    /// <summary>The connection, for tests of what a database does.</summary>
    internal DbConnection Connection => _database.Connection;

    /// <inheritdoc/>
    public StoredRecord? Find(string identity) => Read(() => _tables.Find(identity));

    /// <inheritdoc/>
    public void Put(StoredRecord record)
    {
        var facts = RecordFacts.Of(record);
        byte[] packed = PackedDocument.Pack(record.Content.Span);
        Write(record.Identity, () => _tables.Put(record, facts, packed));
    }

    /// <inheritdoc/>
    public void Remove(string identity) => Write(identity, () => _tables.Remove(identity));

    /// <inheritdoc/>
    public IEnumerable<StoredRecord> ReadAll()
    {
        string last = "";
        for (IReadOnlyList<string> page = Read(() => _tables.IdentitiesAfter(last, PageSize)); page.Count > 0;
            page = Read(() => _tables.IdentitiesAfter(last, PageSize)))
        {
            foreach (string identity in page)
            {
                // What is no text, or no UTF-8, sorts elsewhere than it reads, and would come again for ever or hide what lies between.
                if (string.CompareOrdinal(identity, last) <= 0 || identity.Contains('\uFFFD', StringComparison.Ordinal))
                {
                    throw new UnusableStoreException($"{Name}: an identity in it is not one that dumpanalyze writes, so it is damaged");
                }

                if (Find(identity) is { } record)
                {
                    yield return record;
                }

                last = identity;
            }
        }
    }

    /// <inheritdoc/>
    public IReadOnlyList<StoredRecord> Vanished(string run) =>
        [.. Read(() => _tables.VanishedOf(run)).Select(Find).OfType<StoredRecord>()];

    /// <inheritdoc/>
    public IReadOnlyList<StoredRun> Runs() => Read(_tables.Runs);

    /// <inheritdoc/>
    public void Put(StoredRun run) => Write("run " + run.Key, () => _tables.Put(run));

    /// <inheritdoc/>
    public void Complete()
    {
        // A database keeps no lists beside its tables.
    }

    /// <summary>How many records there are.</summary>
    /// <exception cref="UnusableStoreException">The place cannot be read.</exception>
    public long Count() => Read(_tables.Count);

    /// <summary>The overview that the tables have counted, with one record of each of the largest groups.</summary>
    /// <param name="largest">How many groups of each kind.</param>
    /// <param name="options">Rules.</param>
    /// <exception cref="UnusableStoreException">The place cannot be read.</exception>
    public TriageOverview Overview(int largest, OverviewOptions options)
    {
        if (_database.Access != StoreAccess.Read)
        {
            KeepCounts();
        }

        return Read(() => CountedOverview.Of(
            new OverviewQueries(_database), i => _tables.Find(i) is { } r ? TriageRecords.Read(r, out _) : null, largest, options));
    }

    /// <summary>Counts the modules of the records that came since they were counted last.</summary>
    /// <exception cref="UnwritableRecordException">What was counted cannot be kept.</exception>
    public void KeepCounts() => Write("overview", () =>
    {
        _database.ExcludeWriters();
        _tables.CountModules();
    });

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
        {
            _database.Dispose();
        }
    }

    private void Prepare()
    {
        int version = _database.ReadVersion();
        Refuse(version);
        if (version > 0)
        {
            _database.CheckTables(version);
        }

        if (version == StoreSchema.Version)
        {
            return;
        }

        using DbTransaction transaction = _database.BeginWrite(null);

        // Another process may have done it meanwhile.
        version = _database.ReadVersion();
        Refuse(version);
        foreach (SchemaStep step in StoreSchema.Steps.Where(s => s.Version > version))
        {
            foreach (string statement in step.Statements)
            {
                using DbCommand command = _database.Connection.CreateCommand();
                command.Transaction = transaction;
                command.CommandText = _database.Translate(statement);
                command.ExecuteNonQuery();
            }

            _database.WriteVersion(step.Version);
        }

        transaction.Commit();
    }

    private void Refuse(int version)
    {
        if (version > StoreSchema.Version)
        {
            throw new UnusableStoreException(string.Create(CultureInfo.InvariantCulture,
                $"{Name}: its schema has version {version}, and this dumpanalyze knows {StoreSchema.Version}; use the one that wrote it, or a later one"));
        }

        if (version < StoreSchema.Version && _database.Access != StoreAccess.Write)
        {
            throw new UnusableStoreException(string.Create(CultureInfo.InvariantCulture,
                $"{Name}: its schema has version {version}, and this dumpanalyze reads {StoreSchema.Version}; bring it up to date: "
                    + $"dumpanalyze merge --into {Name} {Name}"));
        }
    }

    /// <summary>What a value is that the reader of a column cannot take: one of another kind, or none where there is always one.</summary>
    private UnusableStoreException Damaged(Exception error) => new(
        error is InvalidCastException ? $"{Name}: a value in it is of another kind than dumpanalyze writes, so it is damaged"
            : $"{Name}: a value in it is missing that dumpanalyze always writes, so it is damaged", error);

    private T Read<T>(Func<T> read)
    {
        lock (_gate)
        {
            for (int attempt = 1; ; attempt++)
            {
                try
                {
                    return read();
                }
                catch (DbException error) when (attempt < MostReads && _database.IsPassing(error))
                {
                    // The connection was lost while nobody asked, for example; the next question makes another.
                }
                catch (DbException error)
                {
                    throw new UnusableStoreException($"{Name}: {_database.Explain(error)}", error);
                }
                catch (Exception error) when (error is InvalidCastException or InvalidOperationException)
                {
                    throw Damaged(error);
                }
            }
        }
    }

    /// <summary>Changes something wholly or not at all.</summary>
    private void Write(string identity, Action write)
    {
        lock (_gate)
        {
            for (int attempt = 1; ; attempt++)
            {
                try
                {
                    using DbTransaction transaction = _database.BeginWrite(identity);
                    _tables.Commit(transaction, write);
                    return;
                }
                catch (DbException error) when (attempt < MostAttempts && _database.IsPassing(error))
                {
                    // Two writers met; this one gave way.
                }
                catch (DbException error)
                {
                    throw new UnwritableRecordException(_database.Explain(error), error) { Place = Name };
                }
            }
        }
    }
}
