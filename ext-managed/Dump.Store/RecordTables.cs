using System.Data.Common;
using System.Globalization;
using System.Text;
using Dump.Store.Engines;
using Dump.Triage.Records;

namespace Dump.Store;

/// <summary>Reads and writes the tables of a store. Used by one thread at a time; errors of the database come through.</summary>
/// <param name="database">The database.</param>
internal sealed class RecordTables(IDatabase database)
{
    /// <summary>
    /// Adds the loads of the records that came since the last time. The sign keeps SQLite from passing over all loads in the order of modules.
    /// </summary>
    internal const string CountNewModules =
        """
        INSERT INTO stored_count (module, dumps)
        SELECT module, COUNT(*)
        FROM (SELECT +module AS module FROM stored_load WHERE sequence > (SELECT COALESCE(MAX(sequence), 0) FROM stored_counted)) l
        WHERE true GROUP BY module
        ON CONFLICT (module) DO UPDATE SET dumps = stored_count.dumps + excluded.dumps
        """;

    private const int MostInOneStatement = 500;
    private readonly Dictionary<StoredModule, long> _modules = [];
    private readonly List<StoredModule> _newModules = [];
    private DbTransaction? _transaction;

    /// <summary>Writes within a transaction, and ends that.</summary>
    /// <param name="transaction">The transaction; taken back by whoever began it when this fails.</param>
    /// <param name="write">Calls other methods of this object.</param>
    public void Commit(DbTransaction transaction, Action write)
    {
        _transaction = transaction;
        try
        {
            write();
            transaction.Commit();
            _newModules.Clear();
        }
        finally
        {
            // What was taken from a transaction that did not come to its end is not known to be there.
            _newModules.ForEach(m => _modules.Remove(m));
            _newModules.Clear();
            _transaction = null;
        }
    }

    /// <summary>The record of a dump, or null.</summary>
    public StoredRecord? Find(string identity)
    {
        using DbCommand command = Command(
            "SELECT r.run, CASE WHEN length(d.packed) <= @most THEN d.packed END FROM stored_record r JOIN stored_document d ON d.sequence = r.sequence "
                + "WHERE r.identity = @identity", ("most", RecordSize.Most), ("identity", identity));
        using DbDataReader reader = command.ExecuteReader();
        if (!reader.Read())
        {
            return null;
        }

        string? run = Text(reader, 0);
        if (reader.IsDBNull(1))
        {
            return new StoredRecord(identity, run, default) { Problem = "it is too long for a record" };
        }

        ReadOnlyMemory<byte> document = PackedDocument.Unpack((byte[])reader.GetValue(1), out string? problem);
        return new StoredRecord(identity, run, document) { Problem = problem };
    }

    /// <summary>Keeps a record in place of the one of the same dump.</summary>
    public void Put(StoredRecord record, RecordFacts facts, byte[] packed)
    {
        Remove(record.Identity);
        long sequence = Insert(record, facts);
        Execute("INSERT INTO stored_document (sequence, packed) VALUES (@sequence, @packed)", ("sequence", sequence), ("packed", packed));
        for (int i = 0; i < facts.Findings.Length; i++)
        {
            StoredFinding finding = facts.Findings[i];
            Execute("INSERT INTO stored_finding (sequence, position, detector, title, confidence) "
                + "VALUES (@sequence, @position, @detector, @title, @confidence)",
                ("sequence", sequence), ("position", i + 1), ("detector", finding.Detector), ("title", finding.Title), ("confidence", finding.Confidence));
        }

        foreach (StoredModule[] some in facts.Modules.Chunk(MostInOneStatement))
        {
            StringBuilder loads = new("INSERT INTO stored_load (sequence, module) VALUES ");
            loads.AppendJoin(", ", some.Select(m => string.Create(CultureInfo.InvariantCulture, $"({sequence}, {KeyOf(m)})")));
            Execute(loads.ToString());
        }

        if (facts.Bucket is { } bucket)
        {
            Execute("INSERT INTO stored_bucket (bucket, kind, detector, title, signature) VALUES (@bucket, @kind, @detector, @title, @signature) "
                + "ON CONFLICT (bucket) DO NOTHING",
                ("bucket", bucket.Hash), ("kind", bucket.Kind), ("detector", bucket.Detector), ("title", bucket.Title), ("signature", bucket.Text));
        }
    }

    /// <summary>Removes a record and all that the tables say of it.</summary>
    public void Remove(string identity)
    {
        using DbCommand command = Command("SELECT sequence FROM stored_record WHERE identity = @identity", ("identity", identity));
        if (command.ExecuteScalar() is not long sequence)
        {
            return;
        }

        // The record first: whoever counts keeps the table of records from being written, and both would wait for each other in another order.
        Execute("DELETE FROM stored_record WHERE sequence = @sequence", ("sequence", sequence));

        // What was counted already is taken back.
        Execute("UPDATE stored_count SET dumps = dumps - 1 WHERE module IN (SELECT module FROM stored_load WHERE sequence = @sequence) "
            + "AND @sequence <= (SELECT COALESCE(MAX(sequence), 0) FROM stored_counted)", ("sequence", sequence));
        foreach (string table in (ReadOnlySpan<string>)["stored_document", "stored_finding", "stored_load"])
        {
            Execute($"DELETE FROM {table} WHERE sequence = @sequence", ("sequence", sequence));
        }
    }

    /// <summary>How many records there are.</summary>
    public long Count()
    {
        using DbCommand command = Command("SELECT COUNT(*) FROM stored_record");
        return (long)command.ExecuteScalar()!;
    }

    /// <summary>The next identities in ordinal order.</summary>
    public IReadOnlyList<string> IdentitiesAfter(string last, int most) =>
        Texts("SELECT identity FROM stored_record WHERE identity > @last ORDER BY identity LIMIT @most", ("last", last), ("most", most));

    /// <summary>Identities of a run's records of dumps that changed while they were read.</summary>
    public IReadOnlyList<string> VanishedOf(string run) =>
        Texts("SELECT identity FROM stored_record WHERE outcome = 'Vanished' AND run = @run ORDER BY identity", ("run", run));

    /// <summary>All runs, by key.</summary>
    public IReadOnlyList<StoredRun> Runs()
    {
        List<StoredRun> runs = [];
        using DbCommand command = Command(
            "SELECT run, machine, inputs, shard, started, CASE WHEN length(summary) <= @most THEN summary END FROM stored_run ORDER BY run",
            ("most", RecordSize.Most));
        using DbDataReader reader = command.ExecuteReader();
        while (reader.Read())
        {
            runs.Add(new StoredRun(
                reader.GetString(0), Text(reader, 1), reader.GetString(2), Text(reader, 3),
                DateTime.TryParse(Text(reader, 4), CultureInfo.InvariantCulture, DateTimeStyles.AdjustToUniversal | DateTimeStyles.AssumeUniversal,
                    out DateTime started) ? started : null,
                reader.IsDBNull(5) ? null : (ReadOnlyMemory<byte>?)(byte[])reader.GetValue(5)));
        }

        return runs;
    }

    /// <summary>Keeps what is known of a run in place of what was.</summary>
    public void Put(StoredRun run)
    {
        if (run.Replaces is { } replaced)
        {
            Execute("DELETE FROM stored_run WHERE run = @run AND summary IS NULL", ("run", replaced));
        }

        Execute(
            "INSERT INTO stored_run (run, machine, inputs, shard, started, ended, summary) "
                + "VALUES (@run, @machine, @inputs, @shard, @started, @ended, @summary) "
                + "ON CONFLICT (run) DO UPDATE SET machine = excluded.machine, inputs = excluded.inputs, shard = excluded.shard, started = excluded.started, "
                + "ended = excluded.ended, summary = excluded.summary",
            ("run", run.Key), ("machine", run.Machine), ("inputs", run.Inputs), ("shard", run.Shard), ("started", Moment(run.Started)),
            ("ended", run.Summary is null ? null : Moment(DateTime.UtcNow)), ("summary", run.Summary?.ToArray()));
    }

    /// <summary>Counts the modules of the records that came since they were counted last. Within a transaction that excludes writers.</summary>
    public void CountModules()
    {
        Execute(CountNewModules);
        Execute("INSERT INTO stored_counted (sequence) SELECT MAX(sequence) FROM stored_record "
            + "HAVING MAX(sequence) > (SELECT COALESCE(MAX(sequence), 0) FROM stored_counted)");
        Execute("DELETE FROM stored_counted WHERE sequence < (SELECT MAX(sequence) FROM stored_counted)");
    }

    private static string? Moment(DateTime? moment) => moment?.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture);

    private static string? Text(DbDataReader reader, int column) => reader.IsDBNull(column) ? null : reader.GetString(column);

    private long Insert(StoredRecord record, RecordFacts facts)
    {
        using DbCommand command = Command(
            """
            INSERT INTO stored_record (identity, run, written, outcome, path, member, size, reason, tool, captured, day, process, machine, system, answer,
                lacking, bucket)
            VALUES (@identity, @run, @written, @outcome, @path, @member, @size, @reason, @tool, @captured, @day, @process, @machine, @system, @answer,
                @lacking, @bucket)
            RETURNING sequence
            """,
            ("identity", record.Identity), ("run", record.Run), ("written", Moment(DateTime.UtcNow)), ("outcome", facts.Outcome), ("path", facts.Path),
            ("member", facts.Member), ("size", facts.Size), ("reason", facts.Reason), ("tool", facts.Tool), ("captured", facts.Captured),
            ("day", facts.Captured?[..10]), ("process", facts.Process), ("machine", facts.Machine), ("system", facts.System), ("answer", facts.Answer),
            ("lacking", facts.Lacking), ("bucket", facts.Bucket?.Hash));
        return (long)command.ExecuteScalar()!;
    }

    /// <summary>The key of a module, which gets one where it is new.</summary>
    private long KeyOf(StoredModule module)
    {
        if (_modules.TryGetValue(module, out long key))
        {
            return key;
        }

        (string, object?)[] values = [("name", module.Name), ("version", module.Version), ("build", module.Build), ("vendor", module.Vendor),
            ("system", module.System)];
        const string Known = "SELECT module FROM stored_module WHERE name = @name AND version = @version AND build = @build AND vendor = @vendor "
            + "AND system = @system";
        using DbCommand find = Command(Known, values);
        if (find.ExecuteScalar() is not long found)
        {
            Execute("INSERT INTO stored_module (name, version, build, vendor, system) VALUES (@name, @version, @build, @vendor, @system) "
                + "ON CONFLICT (name, version, build, vendor, system) DO NOTHING", values);
            found = (long)find.ExecuteScalar()!;
        }

        _modules[module] = found;
        _newModules.Add(module);
        return found;
    }

    private IReadOnlyList<string> Texts(string query, params (string Name, object? Value)[] parameters)
    {
        List<string> texts = [];
        using DbCommand command = Command(query, parameters);
        using DbDataReader reader = command.ExecuteReader();
        while (reader.Read())
        {
            texts.Add(reader.GetString(0));
        }

        return texts;
    }

    private void Execute(string statement, params (string Name, object? Value)[] parameters)
    {
        using DbCommand command = Command(statement, parameters);
        command.ExecuteNonQuery();
    }

    private DbCommand Command(string text, params (string Name, object? Value)[] parameters)
    {
        DbCommand command = database.Connection.CreateCommand();
        command.Transaction = _transaction;
        command.CommandText = text;
        foreach ((string name, object? value) in parameters)
        {
            DbParameter parameter = command.CreateParameter();
            parameter.ParameterName = name;
            parameter.Value = value ?? DBNull.Value;
            command.Parameters.Add(parameter);
        }

        return command;
    }
}
