using Dump.Analysis.Merging;
using Dump.Model.Merging;
using Dump.Triage.Records;
using Microsoft.Data.Sqlite;

namespace Dump.Store.Tests;

/// <summary>Rows that this program never writes: each is one clear line or counted as it is, and nothing runs for ever.</summary>
public sealed class DamagedStoreTests : IDisposable
{
    private readonly StoreFolder _folder = new();

    private string File1 => _folder.At("hangs.db");

    [Theory]
    [InlineData("CAST(identity AS BLOB)")]
    [InlineData("CAST(x'80' AS TEXT)")]
    [InlineData("CAST(x'FF' AS TEXT)")]
    public void An_identity_that_is_no_text_is_one_clear_line(string identity)
    {
        Make();
        Execute($"UPDATE stored_record SET identity = {identity} WHERE sequence = 2");
        using IRecordStore read = RecordStores.Read(File1);
        UnusableStoreException error = Assert.Throws<UnusableStoreException>(() => read.ReadAll().Take(100).Count());
        Assert.Contains("an identity in it is not one that dumpanalyze writes, so it is damaged", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("stored_record", "answer TEXT NOT NULL", "answer TEXT")]
    [InlineData("stored_run", "inputs TEXT NOT NULL", "inputs TEXT")]
    public void A_value_that_is_missing_is_one_clear_line(string table, string column, string without)
    {
        Make();
        Execute($"PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, '{column}', '{without}') WHERE name = '{table}'");
        Execute($"UPDATE {table} SET {column.Split(' ')[0]} = NULL");
        Execute($"PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, '{without}', '{column}') WHERE name = '{table}'");
        using IRecordStore read = RecordStores.Read(File1);
        UnusableStoreException error = Assert.Throws<UnusableStoreException>(() =>
        {
            _ = read.Runs();
            RecordStores.Overview(read, 0, 10, OverviewOptions.Default);
        });
        Assert.Contains("a value in it is missing that dumpanalyze always writes", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Answers_that_read_alike_are_one()
    {
        Make();
        Execute("UPDATE stored_record SET answer = 'none' || char(sequence)");
        using IRecordStore read = RecordStores.Read(File1);
        TriageOverview overview = RecordStores.Overview(read, 0, 10, OverviewOptions.Default)!;
        Assert.Equal(3, overview.Dumps);
        Assert.Equal(3, Assert.Single(overview.Counted!.Answers).Value);
    }

    public void Dispose() => _folder.Dispose();

    private void Make()
    {
        using IRecordStore store = RecordStores.Write(File1);
        StoreFolder.Fill(store, Enumerable.Range(0, 3));
        store.Put(new StoredRun("a", "host", "/dumps", null, DateTime.UnixEpoch, null));
    }

    private void Execute(string statement)
    {
        using SqliteConnection connection = new(new SqliteConnectionStringBuilder { DataSource = File1, Pooling = false }.ToString());
        connection.Open();
        using SqliteCommand command = new(statement, connection);
        command.ExecuteNonQuery();
    }
}
