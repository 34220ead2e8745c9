using System.Runtime.Versioning;
using Dump.Analysis.Merging;
using Dump.Testing.Lab;
using Dump.Testing.Triage;
using Dump.Triage.Records;
using Npgsql;

namespace Dump.Store.Tests;

/// <summary>What ends writers, connections, disks and tables of a real server: nothing acknowledged is lost, and each case is one clear line.</summary>
[Collection(PostgresCollection.Name)]
public sealed class PostgresFaultTests(PostgresServer server)
{
    private const int Seed = 20_261_127;

    [SkippableFact]
    public void Writers_that_are_killed_lose_nothing_acknowledged() => KillWriters(rounds: 2);

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void Writers_that_are_killed_at_fifty_moments_lose_nothing_acknowledged() => KillWriters(rounds: 50);

    [SkippableFact]
    public void A_connection_that_the_server_ends_is_made_again()
    {
        string place = NewDatabase();
        using IRecordStore store = RecordStores.Write(place);
        StoreFolder.Fill(store, [1]);
        EndConnections(place);
        StoreFolder.Fill(store, [2]);
        EndConnections(place);
        Assert.NotNull(store.Find(SyntheticRecords.Identity(2)));
        using IEnumerator<StoredRecord> all = store.ReadAll().GetEnumerator();
        Assert.True(all.MoveNext());
        EndConnections(place);
        Assert.True(all.MoveNext());
        Assert.False(all.MoveNext());
    }

    [SkippableFact]
    public void An_older_schema_is_brought_up_to_date_by_a_writer_and_named_to_a_reader()
    {
        string place = NewDatabase();
        Make(place);
        Sql(place, "DROP TABLE stored_count, stored_counted; DROP INDEX stored_record_bucket_process, stored_record_bucket_machine; "
            + "UPDATE stored_version SET version = 1");
        UnusableStoreException refused = Assert.Throws<UnusableStoreException>(() => RecordStores.Read(place));
        Assert.Contains("its schema has version 1, and this dumpanalyze reads 2", refused.Message, StringComparison.Ordinal);
        Assert.Contains("its schema has version 1", Assert.Throws<UnusableStoreException>(() => RecordStores.KeepCounts(place)).Message, StringComparison.Ordinal);
        Assert.Equal(1L, Sql(place, "SELECT version FROM stored_version"));
        using (IRecordStore store = RecordStores.Write(place))
        {
            StoreFolder.Fill(store, [3]);
            Assert.Equal(4, RecordStores.Overview(store, 0, 10, OverviewOptions.Default)!.Dumps);
        }

        using IRecordStore read = RecordStores.Read(place);
        Assert.Equal(4, read.ReadAll().Count());
        Assert.Equal(2L, Sql(place, "SELECT version FROM stored_version"));
    }

    [SkippableTheory]
    [InlineData("DROP TABLE stored_load CASCADE", "tables of the store are missing in its schema dumpanalyze, so it is damaged")]
    [InlineData("DELETE FROM stored_version", "its store does not say which version it has, so it is damaged")]
    public void Tables_that_are_missing_are_one_clear_line(string change, string says)
    {
        string place = NewDatabase();
        Make(place);
        Sql(place, change);
        foreach (Action open in (Action[])[() => RecordStores.Read(place), () => RecordStores.Write(place)])
        {
            UnusableStoreException error = Assert.Throws<UnusableStoreException>(open);
            Assert.Contains(says, error.Message, StringComparison.Ordinal);
            Assert.DoesNotContain('\n', error.Message);
        }
    }

    [SkippableFact]
    public void A_damaged_record_is_named_and_the_others_are_read()
    {
        string place = NewDatabase();
        Make(place);
        Sql(place, @"UPDATE stored_document SET packed = '\x1f8b0800' WHERE sequence = (SELECT MIN(sequence) FROM stored_record)");
        using IRecordStore read = RecordStores.Read(place);
        TriageRecords records = TriageRecords.Read(read);
        Assert.Equal(2, records.Records.Length);
        Assert.Equal(Model.Merging.TriageGapKind.RecordDamaged, Assert.Single(records.Warnings).Kind);
    }

    [SkippableFact]
    public void A_file_of_the_server_that_is_damaged_is_one_clear_line()
    {
        Skip.If(PostgresServer.Unavailable is not null, PostgresServer.Unavailable);
        using PostgresServer own = new();
        string place = own.NewDatabase();
        Make(place);
        string file = (string)Sql(place, "SELECT pg_relation_filepath('stored_document')")!;
        own.Stop();
        byte[] noise = new byte[8192];
        new Random(Seed).NextBytes(noise);
        own.Overwrite(file, noise);
        own.Start();
        using IRecordStore read = RecordStores.Read(place);
        UnusableStoreException error = Assert.Throws<UnusableStoreException>(() => read.ReadAll().ToArray());
        Assert.Contains("the store is damaged (invalid page in block 0", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', error.Message);
    }

    [SkippableFact]
    public void A_user_without_rights_is_said_and_writes_nothing()
    {
        string place = NewDatabase();
        Make(place);
        Sql(place, "DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA dumpanalyze TO reader; "
            + "GRANT SELECT ON ALL TABLES IN SCHEMA dumpanalyze TO reader");
        string reader = place.Replace("triage@", "reader@", StringComparison.Ordinal);
        using (IRecordStore read = RecordStores.Read(reader))
        {
            Assert.Equal(3, read.ReadAll().Count());
        }

        using IRecordStore store = RecordStores.Write(reader);
        UnwritableRecordException error = Assert.Throws<UnwritableRecordException>(() => StoreFolder.Fill(store, [9]));
        Assert.Equal("this user may not write there; give it the right to create a schema, or name another database", error.Message);
        Assert.Equal(3L, Sql(place, "SELECT COUNT(*) FROM stored_record"));
        Sql(place, "DROP OWNED BY reader; DROP ROLE reader");
    }

    [SkippableFact]
    [SupportedOSPlatform("linux")]
    public void A_full_disk_is_said_and_what_was_acknowledged_stays()
    {
        Skip.If(PostgresServer.Unavailable is not null, PostgresServer.Unavailable);
        Skip.If(!OperatingSystem.IsLinux() || !Environment.IsPrivilegedProcess, "a small disk of its own needs root");
        using var own = PostgresServer.OnSmallDisk("16m");
        string place = own.NewDatabase("TABLESPACE small");
        int written = 0;
        using (IRecordStore store = RecordStores.Write(place))
        {
            UnwritableRecordException error = Assert.Throws<UnwritableRecordException>(() =>
            {
                for (; written < 100_000; written++)
                {
                    StoreFolder.Fill(store, [written]);
                }
            });
            Assert.Equal("the disk of the server is full; free some space and call this again", error.Message);
            Assert.True(written > 0);

            // The same process goes on when there is room again.
            own.Enlarge("64m");
            StoreFolder.Fill(store, [written]);
        }

        using IRecordStore read = RecordStores.Read(place);
        Assert.Equal(Enumerable.Range(0, written + 1).Select(SyntheticRecords.Identity).Order(StringComparer.Ordinal), read.ReadAll().Select(r => r.Identity));
    }

    /// <summary>What docs/store.md says of questions over days.</summary>
    [SkippableFact]
    public void Days_are_found_by_their_index()
    {
        string place = NewDatabase();
        Make(place);
        object? plan = Sql(place, "SET enable_seqscan = off; EXPLAIN (FORMAT JSON) SELECT * FROM dumps WHERE day BETWEEN '2026-01-05' AND '2026-01-06'");
        Assert.Contains("\"Index Name\": \"stored_record_day\"", Assert.IsType<string>(plan), StringComparison.Ordinal);
    }

    private static void Make(string place)
    {
        using IRecordStore store = RecordStores.Write(place);
        StoreFolder.Fill(store, Enumerable.Range(0, 3));
    }

    private static void EndConnections(string place) =>
        Sql(place, "SELECT COUNT(pg_terminate_backend(pid, 60000)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()");

    private static object? Sql(string place, string statements)
    {
        using NpgsqlConnection connection = new(new NpgsqlConnectionStringBuilder(Engines.PostgresAddress.Read(place, "dumpanalyze").ToString())
        {
            Pooling = false,
        }.ToString());
        connection.Open();
        using NpgsqlCommand command = new(statements, connection);
        return command.ExecuteScalar();
    }

    private void KillWriters(int rounds)
    {
        string place = NewDatabase();
        SortedSet<int> acknowledged = WriterRound.KillRepeatedly(place, rounds, new Random(Seed));
        using IRecordStore store = RecordStores.Read(place);
        Assert.All(acknowledged, n => Assert.Equal(StoreFolder.Records.Document(n), store.Find(SyntheticRecords.Identity(n))?.Content.ToArray()));
        Assert.Equal(0L, Sql(place, "SELECT COUNT(*) FROM (SELECT sequence FROM stored_load UNION SELECT sequence FROM stored_finding "
            + "UNION SELECT sequence FROM stored_record) s FULL JOIN stored_document d USING (sequence) WHERE s.sequence IS NULL OR d.sequence IS NULL"));
    }

    private string NewDatabase()
    {
        Skip.If(PostgresServer.Unavailable is not null, PostgresServer.Unavailable);
        return server.NewDatabase();
    }
}
