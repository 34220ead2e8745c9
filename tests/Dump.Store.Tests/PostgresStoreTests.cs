using Dump.Model.Merging;
using Dump.Testing.Lab;
using Dump.Testing.Triage;
using Dump.Triage.Records;
using Dump.Triage.Runs;
using Npgsql;

namespace Dump.Store.Tests;

/// <summary>Records in PostgreSQL, on Debian's server: the same as in a file; and what is said when the server is of no use.</summary>
[Collection(PostgresCollection.Name)]
public sealed class PostgresStoreTests(PostgresServer server)
{
    private const int Seed = 20_261_126;
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);

    [SkippableFact]
    public void Records_come_back_byte_for_byte_and_twice_is_once()
    {
        string place = NewDatabase();
        using (IRecordStore store = RecordStores.Write(place))
        {
            StoreFolder.Fill(store, Enumerable.Range(0, 30));
            StoreFolder.Fill(store, Enumerable.Range(0, 30));
            StoredRun run = new(SyntheticRecords.Identity(-1), "host", "/dumps", "1/2", DateTime.UnixEpoch, null);
            store.Put(run);
            store.Put(run with { Summary = "{}"u8.ToArray() });
        }

        using IRecordStore read = RecordStores.Read(place);
        Assert.Equal(Enumerable.Range(0, 30).Select(SyntheticRecords.Identity).Order(StringComparer.Ordinal), read.ReadAll().Select(r => r.Identity));
        Assert.All(Enumerable.Range(0, 30), n => Assert.Equal(StoreFolder.Records.Document(n), read.Find(SyntheticRecords.Identity(n))!.Content.ToArray()));
        StoredRun kept = Assert.Single(read.Runs());
        Assert.Equal(("host", "/dumps", "1/2", DateTime.UnixEpoch, "{}"),
            (kept.Machine, kept.Inputs, kept.Shard, kept.Started, System.Text.Encoding.UTF8.GetString(kept.Summary!.Value.Span)));
    }

    [SkippableFact]
    public void Many_writers_lose_nothing()
    {
        string place = NewDatabase();
        Parallel.For(0, 4, new ParallelOptions { MaxDegreeOfParallelism = 4 }, writer =>
        {
            using IRecordStore store = RecordStores.Write(place);
            StoreFolder.Fill(store, Enumerable.Range(writer * 10, 20));
        });
        using IRecordStore read = RecordStores.Read(place);
        Assert.Equal(Enumerable.Range(0, 50).Select(SyntheticRecords.Identity).Order(StringComparer.Ordinal), read.ReadAll().Select(r => r.Identity));
    }

    [SkippableFact]
    public void A_file_and_a_server_show_the_same()
    {
        string place = NewDatabase();
        using StoreFolder folder = new();
        using IRecordStore one = RecordStores.Write(folder.At("hangs.db")), other = RecordStores.Write(place);
        StoreFolder.Fill(one, Enumerable.Range(0, 60));
        StoreFolder.Fill(other, Enumerable.Range(0, 60).Reverse());
        TriageRecords expected = TriageRecords.Read(one), actual = TriageRecords.Read(other);
        Assert.Equal(expected.Records.Select(r => (r.Identity, r.Source, r.Outcome, r.Answer)),
            actual.Records.Select(r => (r.Identity, r.Source, r.Outcome, r.Answer)));
        Assert.Equal(expected.Warnings.AsEnumerable(), actual.Warnings);
    }

    [SkippableFact]
    public void A_server_that_is_killed_keeps_what_it_acknowledged() => KillServer(rounds: 1);

    [SkippableFact]
    [Trait("Category", "Slow")]
    public void A_server_that_is_killed_at_fifty_moments_keeps_what_it_acknowledged() => KillServer(rounds: 50);

    [SkippableFact]
    public void A_connection_that_was_lost_is_made_again_and_without_a_server_one_line_says_so()
    {
        Skip.If(PostgresServer.Unavailable is not null, PostgresServer.Unavailable);
        using PostgresServer own = new();
        string place = own.NewDatabase();
        using IRecordStore store = RecordStores.Write(place);
        StoreFolder.Fill(store, [1]);
        own.Stop();
        own.Start();
        Assert.NotNull(store.Find(SyntheticRecords.Identity(1)));
        own.Stop();
        own.Start();
        StoreFolder.Fill(store, [2]);
        Assert.Equal(2, store.ReadAll().Count());
        own.Kill();
        UnwritableRecordException lost = Assert.Throws<UnwritableRecordException>(() => StoreFolder.Fill(store, [3]));
        Assert.Contains("the server cannot be reached, or the connection was lost", lost.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', lost.Message);
        UnusableStoreException refused = Assert.Throws<UnusableStoreException>(() => RecordStores.Read(place));
        Assert.Contains("the server cannot be reached", refused.Message, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void What_is_no_store_is_refused()
    {
        string place = NewDatabase();
        Assert.Contains("there is no store in this database", Assert.Throws<UnusableStoreException>(() => RecordStores.Read(place)).Message,
            StringComparison.Ordinal);
        Assert.Contains("there is no store in this database", Assert.Throws<UnusableStoreException>(() => RecordStores.KeepCounts(place)).Message,
            StringComparison.Ordinal);
        Assert.Throws<UnusableStoreException>(() => RecordStores.Read(place));
        Assert.Contains("there is no such database", Assert.Throws<UnusableStoreException>(() => RecordStores.Write(server.Address("nowhere"))).Message,
            StringComparison.Ordinal);
        using (IRecordStore store = RecordStores.Write(place))
        {
            StoreFolder.Fill(store, [1]);
        }

        server.Sql(DatabaseOf(place), "UPDATE dumpanalyze.stored_version SET version = 99");
        Assert.Contains("its schema has version 99", Assert.Throws<UnusableStoreException>(() => RecordStores.Read(place)).Message, StringComparison.Ordinal);
        Assert.Contains("its schema has version 99", Assert.Throws<UnusableStoreException>(() => RecordStores.Write(place)).Message, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void A_server_that_only_reads_is_said()
    {
        string place = NewDatabase();
        using (IRecordStore store = RecordStores.Write(place))
        {
            StoreFolder.Fill(store, [1]);
        }

        server.Sql("postgres", $"ALTER DATABASE {DatabaseOf(place)} SET default_transaction_read_only = on");
        using (IRecordStore read = RecordStores.Read(place))
        {
            Assert.Single(read.ReadAll());
        }

        Assert.Throws<UnwritableRecordException>(() => RecordStores.KeepCounts(place));
        using IRecordStore other = RecordStores.Write(place);
        Assert.Contains("the server only reads", Assert.Throws<UnwritableRecordException>(() => StoreFolder.Fill(other, [2])).Message,
            StringComparison.Ordinal);
    }

    /// <summary>
    /// Whoever counts modules keeps the table of records from being written and changes the counts then. So a writer that replaces a record must not hold
    /// counts while it waits for that table: both would wait for each other.
    /// </summary>
    [SkippableFact]
    public void A_writer_that_waits_for_the_table_of_records_holds_no_counts()
    {
        string place = NewDatabase();
        using IRecordStore store = RecordStores.Write(place);
        StoreFolder.Fill(store, Enumerable.Range(0, 5));
        RecordStores.KeepCounts(place);
        using NpgsqlConnection counter = new(Engines.PostgresAddress.Read(place, "dumpanalyze").ToString());
        counter.Open();
        using NpgsqlTransaction counting = counter.BeginTransaction();
        Scalar(counter, "LOCK TABLE stored_record IN SHARE ROW EXCLUSIVE MODE; SELECT 1");
        Task writing = Task.Factory.StartNew(() => StoreFolder.Fill(store, [3]), TaskCreationOptions.LongRunning);
        Assert.True(SpinWait.SpinUntil(() => writing.IsCompleted || Scalar(counter,
            "SELECT COUNT(*) FROM pg_locks WHERE relation = 'stored_record'::regclass AND NOT granted") is 1L, s_limit), "the writer does not wait");
        Assert.False(writing.IsCompleted, "the writer did not wait");
        Assert.True(Scalar(counter, "SELECT COUNT(*) FROM (SELECT 1 FROM stored_count FOR UPDATE NOWAIT) c") is > 0L);
        counting.Commit();
        Assert.True(writing.Wait(s_limit));
        RecordStores.KeepCounts(place);
        Assert.Equal(0L, Scalar(counter, "SELECT COUNT(*) FROM (SELECT module, COUNT(*) AS dumps FROM stored_load GROUP BY module) l "
            + "FULL JOIN (SELECT * FROM stored_count WHERE dumps > 0) c USING (module) WHERE l.dumps IS DISTINCT FROM c.dumps"));
    }

    [Theory]
    [InlineData("postgres://me:secret@db.example.com:5433/hangs?sslmode=require", "postgres://me@db.example.com:5433/hangs")]
    [InlineData("postgresql:///hangs?host=%2Frun%2Fpostgresql&password=secret", "postgres:///hangs")]
    [InlineData("postgres://me:sec?ret@db/hangs", "postgres://me")]
    [InlineData("postgres://me:s@c?ret@db/hangs", "postgres://me")]
    public void Names_have_no_password(string place, string name) => Assert.Equal(name, Engines.PostgresAddress.Name(place));

    [Fact]
    public void Addresses_are_read_as_by_other_programs()
    {
        NpgsqlConnectionStringBuilder settings = Engines.PostgresAddress.Read("postgres://me:s%40cret@db:5433/hangs?sslmode=verify-full", "s");
        Assert.Equal(("db", 5433, "me", "s@cret", "hangs", SslMode.VerifyFull),
            (settings.Host, settings.Port, settings.Username, settings.Password, settings.Database, settings.SslMode));
        Assert.Throws<UnusableStoreException>(() => Engines.PostgresAddress.Read("postgres://db/hangs?nonsense=1", "s"));
    }

    [Theory]
    [InlineData("postgres://db:0/hangs", "'port' is not understood")]
    [InlineData("postgres://db:65536/hangs", "'port' is not understood")]
    [InlineData("postgres://me:12?secret@db/hangs", "write a '?' of the password as %3F")]
    [InlineData("postgres://db/hangs?password=a&secret=1", "what stands behind the question mark is not understood")]
    public void Wrong_addresses_are_one_line_without_the_password(string place, string says)
    {
        string message = Assert.Throws<UnusableStoreException>(() => RecordStores.Read(place)).Message;
        Assert.Contains(says, message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", message, StringComparison.Ordinal);
    }

    /// <summary>Writers are cut off in the middle by the end of the server; what they printed before is there when it runs again.</summary>
    private static void KillServer(int rounds)
    {
        Skip.If(PostgresServer.Unavailable is not null, PostgresServer.Unavailable);
        using PostgresServer own = new();
        string place = own.NewDatabase();
        Random random = new(Seed);
        SortedSet<int> acknowledged = [];
        for (int round = 0; round < rounds; round++)
        {
            acknowledged.UnionWith(WriterRound.Play(place, round, random.Next(1, 60), writers =>
            {
                own.Kill();
                Assert.All(writers, w => Assert.NotEqual(0, w.WaitForEnd()));
                own.Start();
            }));
        }

        Assert.True(acknowledged.Count >= rounds);
        using IRecordStore store = RecordStores.Read(place);
        Assert.All(acknowledged, n => Assert.Equal(StoreFolder.Records.Document(n), store.Find(SyntheticRecords.Identity(n))?.Content.ToArray()));
    }

    private static object? Scalar(NpgsqlConnection connection, string query)
    {
        using NpgsqlCommand command = new(query, connection);
        return command.ExecuteScalar();
    }

    private static string DatabaseOf(string place) => place[(place.IndexOf("@/", StringComparison.Ordinal) + 2)..place.IndexOf('?', StringComparison.Ordinal)];

    private string NewDatabase()
    {
        Skip.If(PostgresServer.Unavailable is not null, PostgresServer.Unavailable);
        return server.NewDatabase();
    }
}
