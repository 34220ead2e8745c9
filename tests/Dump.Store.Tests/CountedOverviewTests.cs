using System.Text;
using Dump.Analysis.Merging;
using Dump.Model.Facts;
using Dump.Model.Merging;
using Dump.Store.Overviews;
using Dump.Testing.Lab;
using Dump.Testing.Triage;
using Dump.Triage.Records;
using Microsoft.Data.Sqlite;

namespace Dump.Store.Tests;

/// <summary>What the tables of a store count is what an overview of all its records counts, also when records came and went since the last time.</summary>
[Collection(PostgresCollection.Name)]
public sealed class CountedOverviewTests(PostgresServer server) : IDisposable
{
    private readonly StoreFolder _folder = new();

    [Fact]
    public void Sqlite_counts_what_all_records_show() => Check(_folder.At("hangs.db"));

    [SkippableFact]
    public void Postgres_counts_what_all_records_show()
    {
        Skip.If(PostgresServer.Unavailable is not null, PostgresServer.Unavailable);
        Check(server.NewDatabase());
    }

    [Fact]
    public void Few_records_are_all_read()
    {
        using IRecordStore store = RecordStores.Write(_folder.At("hangs.db"));
        StoreFolder.Fill(store, [1, 2, 3]);
        Assert.Null(RecordStores.Overview(store, 4, 10, OverviewOptions.Default));
        Assert.NotNull(RecordStores.Overview(store, 3, 10, OverviewOptions.Default));
    }

    [Fact]
    public void Only_the_largest_are_shown_and_all_are_counted()
    {
        using IRecordStore store = RecordStores.Write(_folder.At("hangs.db"));
        StoreFolder.Fill(store, Enumerable.Range(0, 120));
        TriageOverview all = TriageOverviews.Of(TriageRecords.Read(store).Records);
        TriageOverview counted = RecordStores.Overview(store, 0, 2, OverviewOptions.Default)!;
        Assert.Equal(2, counted.Hangs.Length);
        Assert.Equal(all.Hangs.Length, counted.Counted!.Hangs);
        Assert.Equal(120, counted.Dumps);
        Assert.Equal(all.Hangs.Max(b => b.Dumps), counted.Hangs.Max(b => b.Dumps));
    }

    /// <summary>A store that a version with other signatures has written to.</summary>
    [Fact]
    public void Groups_of_other_rules_are_said_to_be_left_out()
    {
        using IRecordStore store = RecordStores.Write(_folder.At("hangs.db"));
        StoreFolder.Fill(store, Enumerable.Range(0, 120));
        TriageOverview before = RecordStores.Overview(store, 0, 1000, OverviewOptions.Default)!;
        Assert.Empty(before.PassedOver);
        string hash = before.Hangs[0].Signature.ClassHash;
        using (System.Data.Common.DbCommand command = ((DatabaseStore)store).Connection.CreateCommand())
        {
            command.CommandText = $"UPDATE stored_bucket SET bucket = 'v1-old' WHERE bucket = '{hash}'; "
                + $"UPDATE stored_record SET bucket = 'v1-old' WHERE bucket = '{hash}'";
            command.ExecuteNonQuery();
        }

        TriageOverview overview = RecordStores.Overview(store, 0, 1000, OverviewOptions.Default)!;
        Assert.Equal(before.Hangs.Length - 1, overview.Hangs.Length);
        Assert.StartsWith($"1 group of {before.Hangs[0].Dumps} dumps", Assert.Single(overview.PassedOver).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Modules_of_no_record_are_not_counted()
    {
        using IRecordStore store = RecordStores.Write(_folder.At("hangs.db"));
        StoreFolder.Fill(store, Enumerable.Range(0, 120));
        foreach (int number in Enumerable.Range(1, 119))
        {
            store.Remove(SyntheticRecords.Identity(number));
        }

        Same(store);
    }

    /// <summary>With millions of records the overview stays fast only as long as it passes over what is new, and over indexes.</summary>
    [Theory]
    [InlineData(RecordTables.CountNewModules, "SEARCH stored_load USING PRIMARY KEY (sequence>?)")]
    [InlineData("SELECT r.bucket FROM " + OverviewQueries.CountedBuckets, "SEARCH stored_record USING COVERING INDEX stored_record_bucket (bucket>?)")]
    public void What_is_counted_is_found_by_its_index(string statement, string expected)
    {
        using (IRecordStore store = RecordStores.Write(_folder.At("hangs.db")))
        {
            StoreFolder.Fill(store, Enumerable.Range(0, 30));
        }

        using SqliteConnection connection = new(new SqliteConnectionStringBuilder { DataSource = _folder.At("hangs.db"), Pooling = false }.ToString());
        connection.Open();
        using SqliteCommand command = new("EXPLAIN QUERY PLAN " + statement, connection);
        using SqliteDataReader steps = command.ExecuteReader();
        List<string> plan = [];
        while (steps.Read())
        {
            plan.Add(steps.GetString(3));
        }

        Assert.Contains(expected, plan);
        Assert.DoesNotContain(plan, step => step.StartsWith("SCAN stored_", StringComparison.Ordinal));
    }

    public void Dispose() => _folder.Dispose();

    private static void Check(string place)
    {
        using (IRecordStore store = RecordStores.Write(place))
        {
            StoreFolder.Fill(store, Enumerable.Range(0, 150));
            Same(store);

            // New ones, one of which takes the place of one that was counted, and one that goes.
            StoreFolder.Fill(store, Enumerable.Range(150, 60));
            string other = Encoding.UTF8.GetString(StoreFolder.Records.Document(5));
            store.Put(StoreFolder.Record(0) with
            {
                Content = Encoding.UTF8.GetBytes(other.Replace(SyntheticRecords.Identity(5), SyntheticRecords.Identity(0), StringComparison.Ordinal)),
            });
            store.Remove(SyntheticRecords.Identity(7));
        }

        // What came since is counted without being kept, then kept, then taken from what is kept.
        using (IRecordStore read = RecordStores.Read(place))
        {
            Same(read);
        }

        using IRecordStore again = RecordStores.Write(place);
        Same(again);
        Same(again);
    }

    private static void Same(IRecordStore store)
    {
        TriageOverview all = TriageOverviews.Of(TriageRecords.Read(store).Records);
        TriageOverview counted = RecordStores.Overview(store, 0, 1000, OverviewOptions.Default)!;
        Assert.Equal(TriageCounts.Of(all), TriageCounts.Of(counted));
        Assert.Equal(all.Hangs.Select(Text), counted.Hangs.Select(Text));
        Assert.Equal(all.Others.Select(Text), counted.Others.Select(Text));
        Assert.Equal((all.Hangs.Length, all.Others.Length), (counted.Counted!.Hangs, counted.Counted.Others));
        Assert.Equal(
            all.Hangs.Concat(all.Others).OrderByDescending(b => b.Dumps).ThenBy(b => b.Signature.ClassHash, StringComparer.Ordinal)
                .Select(b => new BucketLine(
                    b.Signature.ClassHash, b.DetectorId, b.DetectorId is null ? b.Signature.ClassText.ReplaceLineEndings(" ") : b.Title, b.Dumps, b.FirstSeen,
                    b.LastSeen)),
            counted.Counted.Buckets);
        Assert.Equal(all.Hangs.Count(b => b.DetectorId == "DUMP8001"), counted.Counted.CrashPlaces);
        Assert.Equal(all.FailedDumps, counted.FailedDumps);
        Assert.Equal(all.Modules.Select(Text), counted.Modules.Select(Text));
        Assert.Equal(all.Modules.Length, counted.Counted.Modules);
        DateTime[] moments = [.. all.Records.Select(r => r.Report?.Source.Captured).OfType<DateTime>()];
        Assert.Equal((moments.Min(), moments.Max()), (counted.Counted.FirstSeen, counted.Counted.LastSeen));
        Assert.Equal(Enum.GetValues<Confidence>().Select(all.With), Enum.GetValues<Confidence>().Select(counted.With));
    }

    private static string Text(TriageBucket bucket) =>
        $"{bucket.Signature.ClassHash} {bucket.Title} {bucket.Confidence} {bucket.Dumps} {bucket.Undecidable} {bucket.FirstSeen:s} {bucket.LastSeen:s} "
            + $"{string.Join(',', bucket.Trend)} {string.Join(',', bucket.Processes)} {string.Join(',', bucket.Machines)} {bucket.Records[0].Identity}";

    private static string Text(ModuleUse module) =>
        $"{module.Name.ToLowerInvariant()} {module.IsSystem} {module.KnownAs} {module.Dumps} {string.Join(',', module.Versions)}";
}
