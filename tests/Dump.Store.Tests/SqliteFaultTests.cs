using System.Diagnostics;
using System.Globalization;
using System.Runtime.Versioning;
using Dump.Testing.Triage;
using Dump.Triage.Records;
using Microsoft.Data.Sqlite;

namespace Dump.Store.Tests;

/// <summary>What a file meets on real disks and among other programs: a full disk, a user who may not write, a lock that does not go.</summary>
public sealed class SqliteFaultTests : IDisposable
{
    private const UnixFileMode ForAll = UnixFileMode.UserRead | UnixFileMode.UserExecute | UnixFileMode.GroupRead | UnixFileMode.GroupExecute
        | UnixFileMode.OtherRead | UnixFileMode.OtherExecute;
    private readonly StoreFolder _folder = new();

    private string File1 => _folder.At("hangs.db");

    /// <summary>The disk is one in memory that the writer alone sees.</summary>
    [SkippableFact]
    public void A_disk_that_is_full_is_said_and_what_was_acknowledged_is_there()
    {
        Skip.If(!OperatingSystem.IsLinux() || !Environment.IsPrivilegedProcess, "a small disk of its own needs root");
        string disk = Directory.CreateDirectory(_folder.At("disk")).FullName, copy = Directory.CreateDirectory(_folder.At("copy")).FullName;
        (int exitCode, string output, string errors) = Run("unshare", "-m", "sh", "-c",
            "mount -t tmpfs -o size=2m none \"$1\" && dotnet \"$2\" write \"$1/hangs.db\" 0 100000; code=$?; cp \"$1\"/* \"$3\" && exit $code", "sh", disk,
            typeof(SqliteFaultTests).Assembly.Location, copy);
        Assert.Equal(1, exitCode);
        Assert.Contains(errors.TrimEnd('\n'),
            (string[])["the disk is full; free some space and call this again", "the disk failed, or has no more space (SQLite Error 10: 'disk I/O error')"]);
        int[] acknowledged = [.. output.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(n => int.Parse(n, CultureInfo.InvariantCulture))];
        Assert.NotEmpty(acknowledged);
        using IRecordStore store = RecordStores.Read(Path.Combine(copy, "hangs.db"));
        Assert.All(acknowledged, n => Assert.Equal(StoreFolder.Records.Document(n), store.Find(SyntheticRecords.Identity(n))?.Content.ToArray()));
    }

    /// <summary>The superuser may write everywhere: somebody else tries.</summary>
    [SkippableFact]
    [SupportedOSPlatform("linux")]
    public void A_file_of_somebody_else_is_said_and_stays_as_it_is()
    {
        Skip.If(!OperatingSystem.IsLinux() || !Environment.IsPrivilegedProcess, "becoming another user needs root");
        Skip.IfNot(File.Exists("/usr/bin/setpriv"), "setpriv (util-linux) is missing");
        // Not where temporary files lie: the folder of a run of the tests may be closed to others.
        DirectoryInfo open = Directory.CreateDirectory(Path.Combine("/tmp", $"dumpanalyze-store-{Path.GetRandomFileName()}"));
        try
        {
            AssertIsRefusedToOthers(Path.Combine(open.FullName, "hangs.db"));
        }
        finally
        {
            open.Delete(recursive: true);
        }
    }

    [SupportedOSPlatform("linux")]
    private static void AssertIsRefusedToOthers(string file)
    {
        using (IRecordStore store = RecordStores.Write(file))
        {
            StoreFolder.Fill(store, Enumerable.Range(0, 3));
        }

        File.SetUnixFileMode(Path.GetDirectoryName(file)!, ForAll);
        byte[] before = File.ReadAllBytes(file);
        string[] nobody = ["env", "HOME=/tmp", "DOTNET_CLI_HOME=/tmp", "setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "dotnet",
            typeof(SqliteFaultTests).Assembly.Location];
        Skip.If(Run(nobody[0], [.. nobody[1..], "help"]).ExitCode != 2, "the program's files cannot be read by another user");
        (int exitCode, string output, string errors) = Run(nobody[0], [.. nobody[1..], "write", file, "9", "1"]);
        Assert.Equal((1, ""), (exitCode, output));
        Assert.Contains("may not be written by this user", Assert.Single(errors.TrimEnd('\n').Split('\n')), StringComparison.Ordinal);
        Assert.Equal(before, File.ReadAllBytes(file));
    }

    [Fact]
    [Trait("Category", "Slow")]
    public void A_file_that_another_program_keeps_locked_is_said_after_a_minute()
    {
        using IRecordStore store = RecordStores.Write(File1);
        StoreFolder.Fill(store, [1]);
        using SqliteConnection other = new(new SqliteConnectionStringBuilder { DataSource = File1, Pooling = false }.ToString());
        other.Open();
        using (other.BeginTransaction(deferred: false))
        {
            UnwritableRecordException error = Assert.Throws<UnwritableRecordException>(() => StoreFolder.Fill(store, [2]));
            Assert.Equal("another program has kept it locked for a minute; try again when that has ended", error.Message);
            Assert.Single(store.ReadAll());
        }

        StoreFolder.Fill(store, [2]);
        Assert.Equal(2, store.ReadAll().Count());
    }

    /// <summary>What docs/store.md says of questions over days.</summary>
    [Fact]
    public void Days_are_found_by_their_index()
    {
        using IRecordStore store = RecordStores.Write(File1);
        StoreFolder.Fill(store, Enumerable.Range(0, 3));
        using System.Data.Common.DbCommand command = ((DatabaseStore)store).Connection.CreateCommand();
        command.CommandText = "EXPLAIN QUERY PLAN SELECT * FROM dumps WHERE day BETWEEN '2026-01-05' AND '2026-01-06'";
        using System.Data.Common.DbDataReader steps = command.ExecuteReader();
        Assert.True(steps.Read());
        Assert.Equal("SEARCH stored_record USING INDEX stored_record_day (day>? AND day<?)", steps.GetString(3));
    }

    public void Dispose() => _folder.Dispose();

    private static (int ExitCode, string Output, string Errors) Run(string program, params string[] arguments)
    {
        // The program ends when its input does, which stays open until it has ended by itself.
        using Process process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        Task<string> errors = process.StandardError.ReadToEndAsync();
        string output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        return (process.ExitCode, output, errors.GetAwaiter().GetResult());
    }
}
