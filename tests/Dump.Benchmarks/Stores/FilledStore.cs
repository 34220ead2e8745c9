using System.Data.Common;
using System.Globalization;
using System.Text;
using Dump.Store;
using Dump.Store.Engines;
using Dump.Store.Facts;
using Dump.Testing.Triage;
using Dump.Triage.Records;

namespace Dump.Benchmarks.Stores;

/// <summary>
/// Fills an SQLite store with many records faster than triage could: of some thousands of different records all that a store keeps is worked out once, and the
/// others are the same under other identities, on other machines, at other times. Nothing is forced onto the disk meanwhile.
/// </summary>
internal sealed class FilledStore
{
    private const int Together = 2_000;
    private const string IdentityStart = "\"identity\":\"";
    private static readonly DateTime s_first = new(2025, 1, 1, 0, 0, 0, DateTimeKind.Utc);
    private readonly (string Document, RecordFacts Facts)[] _kinds;

    /// <summary>Works out the different records.</summary>
    /// <param name="records">Makes records.</param>
    /// <param name="count">How many.</param>
    /// <param name="variants">In how many variants there is each hang: the same stacks with functions of other names.</param>
    public FilledStore(SyntheticRecords records, int count, int variants) =>
        _kinds = [.. Enumerable.Range(0, count).Select(n => Kind(records, n, n % variants))];

    /// <summary>Adds records of the numbers from one up to another.</summary>
    /// <param name="file">The store, which is there.</param>
    /// <param name="from">The first number.</param>
    /// <param name="to">The number behind the last one.</param>
    /// <param name="notes">Takes lines on the progress.</param>
    public void Fill(string file, int from, int to, Action<string> notes)
    {
        using var database = SqliteDatabase.Open(file, StoreAccess.Write);
        using (DbCommand command = database.Connection.CreateCommand())
        {
            command.CommandText = "PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000";
            command.ExecuteNonQuery();
        }

        RecordTables tables = new(database);
        for (int next = from; next < to;)
        {
            int end = Math.Min(to, next + Together);
            using DbTransaction transaction = database.BeginWrite(null);
            tables.Commit(transaction, () =>
            {
                for (; next < end; next++)
                {
                    Put(tables, next);
                }
            });
            notes(string.Create(CultureInfo.InvariantCulture, $"{next:N0} of {to:N0} records"));
        }
    }

    private void Put(RecordTables tables, int number)
    {
        (string document, RecordFacts facts) = _kinds[number % _kinds.Length];
        string identity = SyntheticRecords.Identity(number);
        DateTime captured = s_first.AddMinutes(number);
        byte[] bytes = Encoding.UTF8.GetBytes(
            document.Replace($"{IdentityStart}{new string('0', identity.Length)}", IdentityStart + identity, StringComparison.Ordinal));
        RecordFacts own = facts with
        {
            Path = string.Create(CultureInfo.InvariantCulture, $"host-{number % 99_991}/dump-{number}.dmp"),
            Machine = facts.Machine is null ? null : string.Create(CultureInfo.InvariantCulture, $"host-{number % 99_991}"),
            Captured = facts.Captured is null ? null : captured.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture),
        };
        tables.Put(new StoredRecord(identity, null, bytes), own, PackedDocument.Pack(bytes));
    }

    private static (string Document, RecordFacts Facts) Kind(SyntheticRecords records, int number, int variant)
    {
        string identity = SyntheticRecords.Identity(number);
        string text = Encoding.UTF8.GetString(records.Document(number))
            .Replace("\"function\":\"", string.Create(CultureInfo.InvariantCulture, $"\"function\":\"{Letters(variant)}"), StringComparison.Ordinal);
        var facts = RecordFacts.Of(new StoredRecord(identity, null, Encoding.UTF8.GetBytes(text)));
        return (text.Replace(identity, new string('0', identity.Length), StringComparison.Ordinal), facts);
    }

    /// <summary>A name of its own for a variant: numbers at the end of functions do not tell hangs apart.</summary>
    private static string Letters(int variant) => variant == 0 ? "" : $"{Letters(variant / 26)}{(char)('a' + variant % 26)}";
}
