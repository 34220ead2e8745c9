using System.Data.Common;
using System.Globalization;
using System.IO.Compression;
using System.Text;
using Dump.Store;
using Dump.Store.Engines;
using Dump.Testing.Triage;
using Dump.Triage.Records;

namespace Dump.Benchmarks.Stores;

/// <summary>
/// Fills a store with many records faster than triage could: some thousands of different records are put as any others, and the database makes the rest of
/// them, the same under other identities, on other machines, at other times. Each has its document, in which that identity stands.
/// </summary>
internal sealed class FilledStore
{
    private const int Together = 20_000;
    private const int RowsOfStatement = 100;
    private const int Machines = 99_991;
    private static readonly DateTime s_first = new(2025, 1, 1, 0, 0, 0, DateTimeKind.Utc);
    private readonly (byte[] Document, RecordFacts Facts, byte[] Before, byte[] After)[] _kinds;

    /// <summary>Works out the different records.</summary>
    /// <param name="records">Makes records.</param>
    /// <param name="count">How many.</param>
    /// <param name="variants">In how many variants there is each hang: the same stacks with functions of other names.</param>
    public FilledStore(SyntheticRecords records, int count, int variants) =>
        _kinds = [.. Enumerable.Range(0, count).Select(n => Kind(records, n, n % variants))];

    /// <summary>Adds records of the numbers from one up to another.</summary>
    /// <param name="place">The store, which is there and whose last record is the one before the first.</param>
    /// <param name="from">The first number.</param>
    /// <param name="to">The number behind the last one.</param>
    /// <param name="notes">Takes lines on the progress.</param>
    public void Fill(string place, int from, int to, Action<string> notes)
    {
        using IDatabase database = PostgresAddress.IsOne(place) ? PostgresDatabase.Open(place, StoreAccess.Write) : SqliteDatabase.Open(place, StoreAccess.Write);
        Execute(database, database is PostgresDatabase ? "SET synchronous_commit = off" : "PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000");
        Execute(database, "CREATE TEMPORARY TABLE filling (sequence {number}, kind {number}, identity {text}, path {text}, machine {text}, captured {text}, "
            + "day {text}, packed {bytes})");
        int firstOfRest = Math.Min(to, from + _kinds.Length);
        long sequence = PutKinds(database, from, firstOfRest);
        for (int next = firstOfRest; next < to;)
        {
            int end = Math.Min(to, next + Together);
            using DbTransaction transaction = database.BeginWrite(null);
            for (; next < end; next += RowsOfStatement, sequence += RowsOfStatement)
            {
                Describe(database, transaction, sequence, next, Math.Min(end, next + RowsOfStatement));
            }

            next = end;
            Multiply(database, transaction);
            transaction.Commit();
            notes(string.Create(CultureInfo.InvariantCulture, $"{next:N0} of {to:N0} records"));
        }

        if (database is PostgresDatabase)
        {
            Execute(database, "SELECT setval(pg_get_serial_sequence('stored_record', 'sequence'), (SELECT MAX(sequence) FROM stored_record))");
            Execute(database, "VACUUM (ANALYZE) stored_record, stored_document, stored_finding, stored_load, stored_module, stored_bucket");
        }
    }

    /// <summary>Puts one of each kind, and keeps what the tables say of them at hand.</summary>
    /// <returns>The sequence that the next record gets.</returns>
    private long PutKinds(IDatabase database, int from, int to)
    {
        RecordTables tables = new(database);
        using (DbTransaction transaction = database.BeginWrite(null))
        {
            tables.Commit(transaction, () =>
            {
                for (int number = from; number < to; number++)
                {
                    var (document, facts, before, after) = _kinds[number % _kinds.Length];
                    string identity = SyntheticRecords.Identity(number);
                    tables.Put(new StoredRecord(identity, null, document), facts with
                    {
                        Path = PathOf(number),
                        Machine = facts.Machine is null ? null : MachineOf(number),
                        Captured = facts.Captured is null ? null : CapturedOf(number),
                    }, [.. before, .. Packed(identity), .. after]);
                }
            });
        }

        Execute(database, string.Create(CultureInfo.InvariantCulture, $"CREATE TEMPORARY TABLE kinds AS SELECT r.sequence AS kind_sequence, "
            + $"(r.sequence - m.most + {to - 1}) % {_kinds.Length} AS kind, r.* FROM stored_record r, (SELECT MAX(sequence) AS most FROM stored_record) m "
            + $"WHERE r.sequence > m.most - {to - from}"));
        Execute(database, "CREATE TEMPORARY TABLE kind_loads AS SELECT k.kind, l.module FROM kinds k JOIN stored_load l ON l.sequence = k.kind_sequence");
        Execute(database, "CREATE TEMPORARY TABLE kind_findings AS SELECT k.kind, f.position, f.detector, f.title, f.confidence FROM kinds k "
            + "JOIN stored_finding f ON f.sequence = k.kind_sequence");
        Execute(database, "CREATE INDEX kinds_kind ON kinds (kind)");
        Execute(database, "CREATE INDEX kind_loads_kind ON kind_loads (kind, module)");
        Execute(database, "CREATE INDEX kind_findings_kind ON kind_findings (kind)");
        Execute(database, "ANALYZE kinds");
        Execute(database, "ANALYZE kind_loads");
        Execute(database, "ANALYZE kind_findings");
        using DbCommand command = database.Connection.CreateCommand();
        command.CommandText = "SELECT MAX(sequence) + 1 FROM stored_record";
        return (long)command.ExecuteScalar()!;
    }

    /// <summary>What is a record's own.</summary>
    private void Describe(IDatabase database, DbTransaction transaction, long sequence, int from, int to)
    {
        using DbCommand command = database.Connection.CreateCommand();
        command.Transaction = transaction;
        StringBuilder text = new("INSERT INTO filling VALUES ");
        for (int number = from; number < to; number++)
        {
            int i = number - from, kind = number % _kinds.Length;
            string identity = SyntheticRecords.Identity(number), captured = CapturedOf(number);
            text.Append(CultureInfo.InvariantCulture,
                $"{(i == 0 ? "" : ", ")}({sequence + i}, {kind}, '{identity}', '{PathOf(number)}', '{MachineOf(number)}', '{captured}', '{captured[..10]}', @p{i})");
            DbParameter packed = command.CreateParameter();
            (packed.ParameterName, packed.Value) = ($"p{i}", (byte[])[.. _kinds[kind].Before, .. Packed(identity), .. _kinds[kind].After]);
            command.Parameters.Add(packed);
        }

        command.CommandText = text.ToString();
        command.ExecuteNonQuery();
    }

    /// <summary>Makes the rows of what was described.</summary>
    private static void Multiply(IDatabase database, DbTransaction transaction)
    {
        const string Copied = "run, written, outcome, member, size, reason, tool, process, system, answer, lacking, bucket";
        Execute(database, $"INSERT INTO stored_record (sequence, identity, path, machine, captured, day, {Copied}) SELECT f.sequence, f.identity, f.path, "
            + "CASE WHEN k.machine IS NULL THEN NULL ELSE f.machine END, CASE WHEN k.captured IS NULL THEN NULL ELSE f.captured END, "
            + $"CASE WHEN k.captured IS NULL THEN NULL ELSE f.day END, k.{Copied.Replace(", ", ", k.", StringComparison.Ordinal)} "
            + "FROM filling f JOIN kinds k ON k.kind = f.kind ORDER BY f.sequence", transaction);
        Execute(database, "INSERT INTO stored_document (sequence, packed) SELECT sequence, packed FROM filling ORDER BY sequence", transaction);
        Execute(database, "INSERT INTO stored_finding (sequence, position, detector, title, confidence) SELECT f.sequence, k.position, k.detector, k.title, "
            + "k.confidence FROM filling f JOIN kind_findings k ON k.kind = f.kind ORDER BY f.sequence, k.position", transaction);
        Execute(database, "INSERT INTO stored_load (sequence, module) SELECT f.sequence, k.module FROM filling f JOIN kind_loads k ON k.kind = f.kind "
            + "ORDER BY f.sequence, k.module", transaction);
        Execute(database, database is PostgresDatabase ? "TRUNCATE filling" : "DELETE FROM filling", transaction);
    }

    private static void Execute(IDatabase database, string statement, DbTransaction? transaction = null)
    {
        using DbCommand command = database.Connection.CreateCommand();
        command.Transaction = transaction;
        command.CommandText = database.Translate(statement);
        command.CommandTimeout = 0;
        command.ExecuteNonQuery();
    }

    /// <summary>A gzip file may have several parts one behind the other: the identity is one of its own, so that the others are packed once.</summary>
    private static byte[] Packed(string text)
    {
        using MemoryStream packed = new();
        using (GZipStream gzip = new(packed, CompressionLevel.NoCompression))
        {
            gzip.Write(Encoding.UTF8.GetBytes(text));
        }

        return packed.ToArray();
    }

    private static string PathOf(int number) => string.Create(CultureInfo.InvariantCulture, $"host-{number % Machines}/dump-{number}.dmp");

    private static string MachineOf(int number) => string.Create(CultureInfo.InvariantCulture, $"host-{number % Machines}");

    private static string CapturedOf(int number) => s_first.AddMinutes(number).ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture);

    private static (byte[] Document, RecordFacts Facts, byte[] Before, byte[] After) Kind(SyntheticRecords records, int number, int variant)
    {
        string identity = SyntheticRecords.Identity(number);
        string text = Encoding.UTF8.GetString(records.Document(number))
            .Replace("\"function\":\"", string.Create(CultureInfo.InvariantCulture, $"\"function\":\"{Letters(variant)}"), StringComparison.Ordinal);
        byte[] document = Encoding.UTF8.GetBytes(text);
        int at = text.IndexOf(identity, StringComparison.Ordinal);
        return (document, RecordFacts.Of(new StoredRecord(identity, null, document)), PackedDocument.Pack(Encoding.UTF8.GetBytes(text[..at])),
            PackedDocument.Pack(Encoding.UTF8.GetBytes(text[(at + identity.Length)..])));
    }

    /// <summary>A name of its own for a variant: numbers at the end of functions do not tell hangs apart.</summary>
    private static string Letters(int variant) => variant == 0 ? "" : $"{Letters(variant / 26)}{(char)('a' + variant % 26)}";
}
