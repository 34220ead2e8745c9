using System.Data.Common;
using System.Runtime.Versioning;
using Dump.Model.Merging;
using Dump.Testing.Triage;
using Dump.Triage;
using Dump.Triage.Records;
using Dump.Triage.Runs;
using Microsoft.Data.Sqlite;

namespace Dump.Store.Tests;

/// <summary>Records in an SQLite file: whole, once, from many writers; and what is refused, with nothing changed.</summary>
public sealed class SqliteStoreTests : IDisposable
{
    private readonly StoreFolder _folder = new();

    private string File1 => _folder.At("hangs.db");

    [Fact]
    public void Records_come_back_byte_for_byte_and_twice_is_once()
    {
        using (IRecordStore store = RecordStores.Write(File1))
        {
            StoreFolder.Fill(store, Enumerable.Range(0, 30));
            StoreFolder.Fill(store, Enumerable.Range(0, 30));
        }

        using IRecordStore read = RecordStores.Read(File1);
        StoredRecord[] all = [.. read.ReadAll()];
        Assert.Equal(Enumerable.Range(0, 30).Select(SyntheticRecords.Identity).Order(StringComparer.Ordinal), all.Select(r => r.Identity));
        Assert.All(Enumerable.Range(0, 30), n => Assert.Equal(StoreFolder.Records.Document(n), read.Find(SyntheticRecords.Identity(n))!.Content.ToArray()));
        Assert.Equal(30L, Scalar("SELECT COUNT(*) FROM dumps"));
        Assert.Equal(30L, Scalar("SELECT COUNT(*) FROM stored_document"));
        Assert.Equal(Scalar("SELECT COUNT(*) FROM stored_load"), Scalar("SELECT COUNT(*) FROM loaded_modules"));
    }

    [Fact]
    public void A_record_takes_the_place_of_the_one_before()
    {
        using IRecordStore store = RecordStores.Write(File1);
        store.Put(StoreFolder.Record(1));
        StoredRecord other = StoreFolder.Record(2) with { Identity = SyntheticRecords.Identity(1) };
        store.Put(other);
        Assert.Equal(other.Content.ToArray(), store.Find(other.Identity)!.Content.ToArray());
        Assert.Equal(1L, Scalar("SELECT COUNT(*) FROM dumps"));
        store.Remove(other.Identity);
        Assert.Null(store.Find(other.Identity));
        Assert.All((string[])["stored_record", "stored_document", "stored_load", "stored_finding"], t => Assert.Equal(0L, Scalar($"SELECT COUNT(*) FROM {t}")));
    }

    [Fact]
    public void Many_writers_lose_nothing()
    {
        Parallel.For(0, 4, new ParallelOptions { MaxDegreeOfParallelism = 4 }, writer =>
        {
            using IRecordStore store = RecordStores.Write(File1);

            // Each shares half of its records with the next one.
            StoreFolder.Fill(store, Enumerable.Range(writer * 10, 20));
        });
        using IRecordStore read = RecordStores.Read(File1);
        Assert.Equal(Enumerable.Range(0, 50).Select(SyntheticRecords.Identity).Order(StringComparer.Ordinal), read.ReadAll().Select(r => r.Identity));
        Assert.Equal(Enumerable.Range(0, 50).Select(n => (long)Modules(n)).Sum(), Scalar("SELECT COUNT(*) FROM loaded_modules"));
    }

    [Fact]
    public void Folder_and_store_show_the_same_and_convert_into_each_other()
    {
        string folder = _folder.At("records");
        using (IRecordStore written = FolderStore.Write(folder))
        {
            StoreFolder.Fill(written, Enumerable.Range(0, 25));
            written.Put(new StoredRun(SyntheticRecords.Identity(-1), "host", "/dumps", null, null,
                """{"schema":"dump-triage/1","shard":null,"warnings":[{"path":"x.zip","message":"it is encrypted","notLookedAt":true}]}"""u8.ToArray()));
            written.Complete();
        }

        StoreFolder.Copy(FolderStore.Read(folder), RecordStores.Write(File1));
        string back = _folder.At("back");
        StoreFolder.Copy(RecordStores.Read(File1), FolderStore.Write(back));
        TriageFolders expected = TriageFolders.Read([folder]);
        Assert.Equal(25, expected.Records.Length);
        Assert.Single(expected.Warnings);
        using IRecordStore store = RecordStores.Read(File1);
        foreach (TriageFolders other in new[] { TriageFolders.Read([], [store]), TriageFolders.Read([back]) })
        {
            Assert.Equal(expected.Warnings.AsEnumerable(), other.Warnings);
            Assert.Equal(expected.Records.Select(r => r.Identity), other.Records.Select(r => r.Identity));
        }

        Assert.All(Directory.EnumerateFiles(Path.Combine(folder, "records"), "*", SearchOption.AllDirectories), f =>
            Assert.Equal(File.ReadAllBytes(f), File.ReadAllBytes(f.Replace(folder, back, StringComparison.Ordinal))));
    }

    [Fact]
    public void A_run_that_did_not_end_is_said()
    {
        using (IRecordStore store = RecordStores.Write(File1))
        {
            store.Put(new StoredRun(SyntheticRecords.Identity(-1), "host", "/dumps", null, DateTime.UtcNow, null));
        }

        using IRecordStore read = RecordStores.Read(File1);
        TriageWarning warning = Assert.Single(TriageFolders.Read([], [read]).Warnings);
        Assert.Equal(TriageGapKind.RunNotEnded, warning.Kind);
        Assert.Contains("host, /dumps", warning.Path, StringComparison.Ordinal);
    }

    [Fact]
    public void Parts_of_other_inputs_do_not_finish_a_run()
    {
        using IRecordStore store = RecordStores.Write(File1);
        StoredRun Part(int number, string inputs, int part, bool hasEnded) => new(SyntheticRecords.Identity(-number), "host", inputs, $"{part}/2", null,
            hasEnded ? (ReadOnlyMemory<byte>?)System.Text.Encoding.UTF8.GetBytes($$"""{"schema":"dump-triage/1","shard":"{{part}}/2","warnings":[]}""") : null);
        store.Put(Part(1, "/first", 1, true));
        store.Put(Part(2, "/first", 2, true));
        Assert.Empty(TriageFolders.Gaps(store));
        store.Put(Part(3, "/second", 1, true));
        Assert.Equal(TriageGapKind.PartMissing, Assert.Single(TriageFolders.Gaps(store)).Kind);
        store.Put(Part(3, "/second", 1, false));
        Assert.Equal(TriageGapKind.RunNotEnded, Assert.Single(TriageFolders.Gaps(store)).Kind);
    }

    [Fact]
    public void Parts_of_different_inputs_do_not_complete_each_other()
    {
        static StoredRun Part(int number, string? machine, string inputs, int part) => new(
            SyntheticRecords.Identity(-number), machine, inputs, $"{part}/2", null,
            System.Text.Encoding.UTF8.GetBytes($$"""{"schema":"dump-triage/1","shard":"{{part}}/2","warnings":[]}"""));
        using IRecordStore store = RecordStores.Write(File1), other = RecordStores.Write(_folder.At("other.db"));
        store.Put(Part(1, "host", "/first", 1));
        store.Put(Part(2, "host", "/second", 2));
        TriageWarning[] gaps = [.. TriageFolders.Gaps(store)];
        Assert.Equal([("/first", "part 2/2"), ("/second", "part 1/2")], gaps.Select(g => (g.Path[(g.Path.LastIndexOf(' ') + 1)..], g.Message[..8])));
        Assert.All(gaps, g => Assert.Equal(TriageGapKind.PartMissing, g.Kind));

        // The same dumps, looked through on another machine and in another store.
        other.Put(Part(3, "other", "/first", 2));
        Assert.EndsWith("/second", Assert.Single(TriageFolders.Read([], [store, other]).Warnings).Path, StringComparison.Ordinal);
        store.Put(Part(4, "other", "/second", 1));
        Assert.Empty(TriageFolders.Read([], [store, other]).Warnings);
    }

    /// <summary>What a folder of records is about it does not say: parts that were copied from a folder each make up a whole, as the folders do.</summary>
    [Fact]
    public void Parts_that_were_copied_from_folders_complete_each_other()
    {
        string[] folders = [_folder.At("a"), _folder.At("b")];
        foreach ((int i, string folder) in folders.Index())
        {
            using (IRecordStore written = FolderStore.Write(folder))
            {
                written.Put(new StoredRun(SyntheticRecords.Identity(-i), null, folder, $"{i + 1}/2", null,
                    System.Text.Encoding.UTF8.GetBytes($$"""{"schema":"dump-triage/1","shard":"{{i + 1}}/2","warnings":[]}""")));
                written.Complete();
            }

            Assert.Single(TriageFolders.Read([folder]).Warnings);
            StoreFolder.Copy(FolderStore.Read(folder), RecordStores.Write(File1));
        }

        Assert.Empty(TriageFolders.Read(folders).Warnings);
        using IRecordStore store = RecordStores.Read(File1);
        Assert.Empty(TriageFolders.Gaps(store));
    }

    [Fact]
    public void A_damaged_record_is_named_as_that_of_a_folder_is()
    {
        using (IRecordStore store = RecordStores.Write(File1))
        {
            store.Put(new StoredRecord(SyntheticRecords.Identity(1), null, "{\"schema\":"u8.ToArray()));
            StoreFolder.Fill(store, [2]);
        }

        Execute("UPDATE stored_document SET packed = x'1f8b0800' "
            + $"WHERE sequence = (SELECT sequence FROM stored_record WHERE identity = '{SyntheticRecords.Identity(2)}')");
        using IRecordStore read = RecordStores.Read(File1);
        TriageRecords records = TriageRecords.Read(read);
        Assert.Empty(records.Records);
        Assert.Equal([TriageGapKind.RecordDamaged, TriageGapKind.RecordDamaged], records.Warnings.Select(w => w.Kind));
        Assert.Contains(records.Warnings, w => w.Path == SyntheticRecords.Identity(1) + ".json" && w.Message == "it is not JSON, or cut off");
    }

    [Theory]
    [InlineData("not a database at all", "does not begin as an SQLite database")]
    [InlineData("", "this file is empty")]
    public void Other_files_are_refused_and_stay_as_they_are(string content, string says)
    {
        File.WriteAllText(File1, content);
        Assert.Contains(says, Assert.Throws<UnusableStoreException>(() => RecordStores.Read(File1)).Message, StringComparison.Ordinal);
        Assert.Equal(content, File.ReadAllText(File1));
        Assert.Single(Directory.EnumerateFileSystemEntries(Path.GetDirectoryName(File1)!));
    }

    [Fact]
    public void A_database_of_somebody_else_is_refused_and_stays_as_it_is()
    {
        Execute("CREATE TABLE customers (name TEXT)");
        byte[] before = File.ReadAllBytes(File1);
        Assert.Contains("not a store of dumpanalyze", Assert.Throws<UnusableStoreException>(() => RecordStores.Read(File1)).Message, StringComparison.Ordinal);
        Assert.Contains("not a store of dumpanalyze", Assert.Throws<UnusableStoreException>(() => RecordStores.Write(File1)).Message, StringComparison.Ordinal);
        Assert.Equal(before, File.ReadAllBytes(File1));
    }

    [Theory]
    [InlineData("CREATE TRIGGER t AFTER INSERT ON stored_record BEGIN SELECT 1; END", "its trigger 't' is not one that dumpanalyze makes")]
    [InlineData("DROP TABLE stored_load; CREATE VIEW stored_load AS SELECT 1 AS sequence, 2 AS module", "its view 'stored_load' is not one")]
    [InlineData("DROP TABLE stored_load", "tables of the store are missing")]
    [InlineData("CREATE VIRTUAL TABLE v USING fts5(x)", "is not one that dumpanalyze makes")]
    public void Tables_that_are_not_ours_are_refused(string change, string says)
    {
        Make();
        Execute(change);
        Assert.Contains(says, Assert.Throws<UnusableStoreException>(() => RecordStores.Read(File1)).Message, StringComparison.Ordinal);
        Assert.Contains(says, Assert.Throws<UnusableStoreException>(() => RecordStores.Write(File1)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Views_and_indexes_that_people_add_are_left_alone()
    {
        Make();
        Execute("CREATE VIEW mine AS SELECT * FROM dumps; CREATE INDEX mine_too ON stored_record (process); CREATE TABLE notes (bucket TEXT, note TEXT)");
        using IRecordStore read = RecordStores.Read(File1);
        Assert.Equal(3, read.ReadAll().Count());
    }

    [Fact]
    public void A_newer_schema_is_refused_with_its_version()
    {
        Make();
        Execute("PRAGMA user_version = 99");
        Assert.Contains("its schema has version 99", Assert.Throws<UnusableStoreException>(() => RecordStores.Read(File1)).Message, StringComparison.Ordinal);
        Assert.Contains("its schema has version 99", Assert.Throws<UnusableStoreException>(() => RecordStores.Write(File1)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_older_schema_is_brought_up_to_date_by_a_writer_and_named_to_a_reader()
    {
        Make();
        Execute("DROP TABLE stored_count; DROP TABLE stored_counted; DROP INDEX stored_record_bucket_process; DROP INDEX stored_record_bucket_machine; "
            + "PRAGMA user_version = 1");
        UnusableStoreException refused = Assert.Throws<UnusableStoreException>(() => RecordStores.Read(File1));
        Assert.Contains("its schema has version 1, and this dumpanalyze reads 2", refused.Message, StringComparison.Ordinal);
        using (IRecordStore store = RecordStores.Write(File1))
        {
            StoreFolder.Fill(store, [3]);
            Assert.Equal(4, RecordStores.Overview(store, 0, 10, Analysis.Merging.OverviewOptions.Default)!.Dumps);
        }

        using IRecordStore read = RecordStores.Read(File1);
        Assert.Equal(4, read.ReadAll().Count());
        Assert.Equal(2L, Scalar("PRAGMA user_version"));
    }

    [Theory]
    [InlineData("DROP TABLE stored_count; DROP TABLE stored_counted; DROP INDEX stored_record_bucket_process; DROP INDEX stored_record_bucket_machine; "
        + "PRAGMA user_version = 1")]
    [InlineData("PRAGMA application_id = 0")]
    public void To_keep_counts_nothing_else_is_changed(string change)
    {
        Make();
        Execute(change);
        Execute("PRAGMA journal_mode = DELETE");
        byte[] before = File.ReadAllBytes(File1);
        Assert.Throws<UnusableStoreException>(() => RecordStores.KeepCounts(File1));
        Assert.Equal(before, File.ReadAllBytes(File1));
        File.WriteAllBytes(File1, []);
        Assert.Throws<UnusableStoreException>(() => RecordStores.KeepCounts(File1));
        Assert.Empty(File.ReadAllBytes(File1));
        File.Delete(File1);
        Assert.Throws<UnusableStoreException>(() => RecordStores.KeepCounts(File1));
        Assert.False(File.Exists(File1));
    }

    [Fact]
    public void Counts_are_kept()
    {
        Make();
        RecordStores.KeepCounts(File1);
        Assert.Equal(3L, Scalar("SELECT MAX(sequence) FROM stored_counted"));
    }

    [Fact]
    public void Runs_of_several_machines_leave_one_summary_in_a_folder_and_none_when_one_did_not_end()
    {
        string folder = _folder.At("records");
        StoredRun First(int number, string? summary) => new(SyntheticRecords.Identity(-number), $"host-{number}", "/dumps", null, null,
            summary is null ? null : (ReadOnlyMemory<byte>?)System.Text.Encoding.UTF8.GetBytes(summary));
        string Summary(string path) =>
            $$"""{"schema":"dump-triage/1","shard":null,"warnings":[{"path":"{{path}}","message":"it is encrypted","notLookedAt":true}]}""";
        using (IRecordStore written = FolderStore.Write(folder))
        {
            written.Put(First(1, Summary("a.zip")));
            written.Put(First(2, Summary("b.zip")));
            written.Complete();
        }

        Assert.Equal(["a.zip", "b.zip"], TriageFolders.Read([folder]).Warnings.Select(w => w.Path));
        foreach (string? damaged in new[] { null, "{" })
        {
            using (IRecordStore written = FolderStore.Write(folder))
            {
                written.Put(First(1, Summary("a.zip")));
                written.Put(First(2, damaged));
                written.Complete();
            }

            Assert.Equal([TriageGapKind.RunNotEnded], TriageFolders.Read([folder]).Warnings.Select(w => w.Kind));
        }
    }

    [Fact]
    public void A_damaged_file_is_one_clear_line()
    {
        Make();
        byte[] content = File.ReadAllBytes(File1);
        for (int i = 4096; i < content.Length; i++)
        {
            content[i] ^= 0x5A;
        }

        File.WriteAllBytes(File1, content);
        UnusableStoreException error = Assert.Throws<UnusableStoreException>(() =>
        {
            using IRecordStore read = RecordStores.Read(File1);
            return read.ReadAll().ToArray();
        });
        Assert.Contains("the store is damaged", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', error.Message);
    }

    [Fact]
    public void A_value_of_another_kind_is_one_clear_line()
    {
        Make();
        Execute("UPDATE stored_document SET packed = 'a text'");
        using IRecordStore read = RecordStores.Read(File1);
        UnusableStoreException error = Assert.Throws<UnusableStoreException>(() => read.ReadAll().ToArray());
        Assert.Contains("a value in it is of another kind", error.Message, StringComparison.Ordinal);
    }

    [SkippableFact]
    [SupportedOSPlatform("linux")]
    public void A_file_that_may_not_be_written_is_said_and_can_be_read()
    {
        Skip.If(!OperatingSystem.IsLinux() || Environment.IsPrivilegedProcess, "the superuser may write everywhere");
        Make();
        File.SetUnixFileMode(File1, UnixFileMode.UserRead);
        File.SetUnixFileMode(Path.GetDirectoryName(File1)!, UnixFileMode.UserRead | UnixFileMode.UserExecute);
        using (IRecordStore read = RecordStores.Read(File1))
        {
            Assert.Equal(3, read.ReadAll().Count());
        }

        Exception error = Assert.ThrowsAny<Exception>(() =>
        {
            using IRecordStore store = RecordStores.Write(File1);
            StoreFolder.Fill(store, [9]);
        });
        Assert.Contains("may not be written by this user", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_full_disk_is_said_and_what_was_there_stays()
    {
        Make();
        using (IRecordStore store = RecordStores.Write(File1))
        {
            // A database that may not grow is what SQLite makes of a full disk, and no other program's disk need be filled for it.
            using (DbCommand command = ((DatabaseStore)store).Connection.CreateCommand())
            {
                command.CommandText = "PRAGMA max_page_count = 1";
                command.ExecuteNonQuery();
            }

            UnwritableRecordException error = Assert.Throws<UnwritableRecordException>(() => StoreFolder.Fill(store, Enumerable.Range(100, 200)));
            Assert.Equal("the disk is full; free some space and call this again", error.Message);
            Assert.Equal(File1, error.Place);
        }

        using IRecordStore read = RecordStores.Read(File1);
        Assert.Superset(Enumerable.Range(0, 3).Select(SyntheticRecords.Identity).ToHashSet(), read.ReadAll().Select(r => r.Identity).ToHashSet());
        Assert.Equal("ok", Text("PRAGMA integrity_check"));
    }

    public void Dispose() => _folder.Dispose();

    private static int Modules(int number) => RecordFacts.Of(StoreFolder.Record(number)).Modules.Length;

    private void Make()
    {
        using IRecordStore store = RecordStores.Write(File1);
        StoreFolder.Fill(store, Enumerable.Range(0, 3));
    }

    private SqliteConnection Open()
    {
        SqliteConnection connection = new(new SqliteConnectionStringBuilder { DataSource = File1, Pooling = false }.ToString());
        connection.Open();
        return connection;
    }

    private void Execute(string statement)
    {
        using SqliteConnection connection = Open();
        using SqliteCommand command = new(statement, connection);
        command.ExecuteNonQuery();
    }

    private object? Scalar(string query)
    {
        using SqliteConnection connection = Open();
        using SqliteCommand command = new(query, connection);
        return command.ExecuteScalar();
    }

    private string? Text(string query) => Scalar(query) as string;
}
