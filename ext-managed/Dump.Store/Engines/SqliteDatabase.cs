using System.Data.Common;
using System.Globalization;
using Dump.Model.Text;
using Dump.Readers.Files;
using Dump.Triage.Records;
using Microsoft.Data.Sqlite;
using SQLitePCL;

namespace Dump.Store.Engines;

/// <summary>
/// A store in one file, an SQLite database. Whoever sent the file may have put anything into it: only the tables that this program makes are read.
/// </summary>
internal sealed class SqliteDatabase : IDatabase
{
    /// <summary>Says that a database is a store of this program: "Dump" (sqlite.org, pragma application_id).</summary>
    private const int ApplicationId = 0x44756D70;
    private const int LongestWait = 60;
    private const int LongestValue = RecordSize.Most;
    private const string Kinds = "SELECT type, name, COALESCE(sql, '') FROM sqlite_master";
    private readonly SqliteConnection _connection;

    private SqliteDatabase(string path, SqliteConnection connection, StoreAccess access)
    {
        Name = SafeText.Clean(path);
        _connection = connection;
        Access = access;
    }

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public StoreAccess Access { get; }

    /// <inheritdoc/>
    public DbConnection Connection => _connection;

    /// <summary>Opens a file.</summary>
    /// <param name="path">The file; made when it is to be written and is not there.</param>
    /// <param name="access">What for.</param>
    /// <exception cref="UnusableStoreException">It cannot be opened, or is no database.</exception>
    public static SqliteDatabase Open(string path, StoreAccess access)
    {
        SqliteFile.Check(path, access == StoreAccess.Write);
        Batteries_V2.Init();
        SqliteConnection? connection = null;
        try
        {
            connection = Connect(path, access switch
            {
                StoreAccess.Write => SqliteOpenMode.ReadWriteCreate,
                StoreAccess.Keep => SqliteOpenMode.ReadWrite,
                _ => SqliteOpenMode.ReadOnly,
            });
            SqliteDatabase database = new(path, connection, access);

            // Not even the mode of what is no store is changed.
            _ = database.ReadVersion();
            if (access == StoreAccess.Write)
            {
                database.MakeWritable();
            }

            return database;
        }
        catch (SqliteException error) when (access == StoreAccess.Read && SqliteErrors.NeedsFilesBeside(error) && !File.Exists(path + "-wal"))
        {
            // In a folder that may not be written SQLite cannot make the files by which readers and writers meet. Nobody writes: there is no such file yet.
            connection?.Dispose();
            return new SqliteDatabase(path, Connect(new Uri(Path.GetFullPath(path)).AbsoluteUri + "?immutable=1", SqliteOpenMode.ReadOnly), access);
        }
        catch (UnusableStoreException)
        {
            connection?.Dispose();
            throw;
        }
        catch (SqliteException error)
        {
            connection?.Dispose();
            throw new UnusableStoreException($"{SafeText.Clean(path)}: {SqliteErrors.Explain(error)}", error);
        }
    }

    /// <inheritdoc/>
    public int ReadVersion()
    {
        // In this order: another process makes both at once, and may do so in between.
        bool isEmpty = Number("SELECT COUNT(*) FROM sqlite_master") == 0;
        long application = Number("PRAGMA application_id");
        return application == ApplicationId ? (int)Number("PRAGMA user_version")
            : isEmpty && application == 0 && Access == StoreAccess.Write ? 0
            : throw new UnusableStoreException($"{Name}: this is an SQLite database, and not a store of dumpanalyze; name another file");
    }

    /// <inheritdoc/>
    public void WriteVersion(int version)
    {
        Execute(string.Create(CultureInfo.InvariantCulture, $"PRAGMA application_id = {ApplicationId}"));
        Execute(string.Create(CultureInfo.InvariantCulture, $"PRAGMA user_version = {version}"));
    }

    /// <inheritdoc/>
    public void CheckTables(int version)
    {
        Dictionary<string, string> expected = Expected(version);
        using SqliteCommand command = Command(Kinds);
        using SqliteDataReader reader = command.ExecuteReader();
        int known = 0;
        while (reader.Read())
        {
            (string kind, string name, string text) = (reader.GetString(0), reader.GetString(1), reader.GetString(2));
            bool isOurs = expected.TryGetValue(name, out string? own) && own == kind + text;
            known += isOurs ? 1 : 0;
            if (kind == "trigger" || (!isOurs && (own is not null || text.StartsWith("CREATE VIRTUAL", StringComparison.OrdinalIgnoreCase))))
            {
                throw new UnusableStoreException(
                    $"{Name}: its {kind} '{SafeText.Clean(name, 100)}' is not one that dumpanalyze makes, so nothing of it is read");
            }
        }

        if (known < expected.Count)
        {
            throw new UnusableStoreException($"{Name}: tables of the store are missing, so it is damaged; name another file, or restore a copy of it");
        }
    }

    /// <inheritdoc/>
    public string Translate(string statement) => TranslateStatement(statement);

    /// <inheritdoc/>
    public DbTransaction BeginWrite(string? identity) => _connection.BeginTransaction(deferred: false);

    /// <inheritdoc/>
    public void ExcludeWriters()
    {
        // There is one writer at a time.
    }

    /// <inheritdoc/>
    public string Explain(DbException error) => SqliteErrors.Explain((SqliteException)error);

    /// <inheritdoc/>
    public bool IsPassing(DbException error) => false;

    /// <inheritdoc/>
    public void Dispose() => _connection.Dispose();

    private static string TranslateStatement(string statement) => statement.Replace("{key}", "INTEGER PRIMARY KEY AUTOINCREMENT", StringComparison.Ordinal)
        .Replace("{bytes}", "BLOB", StringComparison.Ordinal).Replace("{text}", "TEXT", StringComparison.Ordinal)
        .Replace("{number}", "INTEGER", StringComparison.Ordinal).Replace("{compact}", " WITHOUT ROWID", StringComparison.Ordinal);

    private static SqliteConnection Connect(string path, SqliteOpenMode mode)
    {
        SqliteConnection connection = new(new SqliteConnectionStringBuilder
        {
            DataSource = path,
            Mode = mode,
            Pooling = false,
            DefaultTimeout = LongestWait,
        }.ToString());
        try
        {
            connection.Open();
            _ = raw.sqlite3_limit(connection.Handle, raw.SQLITE_LIMIT_LENGTH, LongestValue);
            _ = raw.sqlite3_busy_timeout(connection.Handle, LongestWait * 1000);
            using SqliteCommand command = new("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", connection);
            command.ExecuteNonQuery();
            return connection;
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    /// <summary>All tables, indexes and views of a version as a database of this program has them.</summary>
    private static Dictionary<string, string> Expected(int version)
    {
        using SqliteConnection empty = Connect(":memory:", SqliteOpenMode.Memory);
        foreach (string statement in StoreSchema.Steps.Where(s => s.Version <= version).SelectMany(s => s.Statements))
        {
            using SqliteCommand step = new(TranslateStatement(statement), empty);
            step.ExecuteNonQuery();
        }

        Dictionary<string, string> expected = new(StringComparer.OrdinalIgnoreCase);
        using SqliteCommand command = new(Kinds, empty);
        using SqliteDataReader reader = command.ExecuteReader();
        while (reader.Read())
        {
            expected[reader.GetString(1)] = reader.GetString(0) + reader.GetString(2);
        }

        return expected;
    }

    /// <summary>Readers go on while one writes, and what is acknowledged is on the disk.</summary>
    private void MakeWritable()
    {
        // Changing the mode needs the file for a moment, in which SQLite does not wait for others by itself.
        for (DateTime end = DateTime.UtcNow.AddSeconds(LongestWait); ;)
        {
            try
            {
                if (Text("PRAGMA journal_mode = WAL") == "wal" || DateTime.UtcNow > end)
                {
                    break;
                }
            }
            catch (SqliteException error) when (SqliteErrors.IsBusy(error) && DateTime.UtcNow < end)
            {
                // Another process is making the store.
            }

            Thread.Sleep(10);
        }

        Execute("PRAGMA synchronous = FULL");
    }

    private void Execute(string statement)
    {
        using SqliteCommand command = Command(statement);
        command.ExecuteNonQuery();
    }

    private long Number(string query)
    {
        using SqliteCommand command = Command(query);
        return (long)command.ExecuteScalar()!;
    }

    private string? Text(string query)
    {
        using SqliteCommand command = Command(query);
        return command.ExecuteScalar() as string;
    }

    /// <summary>A command within the transaction that is open, if one is.</summary>
    private SqliteCommand Command(string text)
    {
        SqliteCommand command = _connection.CreateCommand();
        command.CommandText = text;
        return command;
    }
}

/// <summary>SQLite's result codes (sqlite.org, rescode.html) as lines that say what to do.</summary>
internal static class SqliteErrors
{
    private const int Busy = 5, Locked = 6, ReadOnly = 8, InputOutput = 10, Corrupt = 11, Full = 13, CannotOpen = 14, TooBig = 18, NoDatabase = 26;

    /// <summary>True while others have the database locked.</summary>
    public static bool IsBusy(SqliteException error) => error.SqliteErrorCode is Busy or Locked;

    /// <summary>True where a file beside the database cannot be made.</summary>
    public static bool NeedsFilesBeside(SqliteException error) => error.SqliteErrorCode is ReadOnly or CannotOpen;

    /// <summary>What an error means, as a clause.</summary>
    public static string Explain(SqliteException error) => error.SqliteErrorCode switch
    {
        Busy or Locked => "another program has kept it locked for a minute; try again when that has ended",
        ReadOnly => "the store, or its folder, may not be written by this user; change that, or name another file",
        InputOutput => $"the disk failed, or has no more space ({Detail(error)})",
        Corrupt => $"the store is damaged ({Detail(error)}); restore a copy of it, or name another file",
        Full => "the disk is full; free some space and call this again",
        CannotOpen => "it cannot be opened; see that its folder is there and may be written by this user",
        TooBig => "something in it is larger than any record, so nothing of it is read",
        NoDatabase => "this is no SQLite database; name another file",
        _ => $"the database failed ({Detail(error)})",
    };

    private static string Detail(SqliteException error) => SafeText.Clean(error.Message, 300).TrimEnd('.');
}

/// <summary>
/// Looks at a file before SQLite does: only a regular file that begins as a database is opened, so that nothing else is changed or waited for.
/// </summary>
internal static class SqliteFile
{
    /// <summary>How a database begins (sqlite.org, fileformat2.html, section 1.3).</summary>
    private static readonly byte[] s_start = "SQLite format 3\0"u8.ToArray();

    /// <summary>Refuses what is no database.</summary>
    /// <param name="path">The file.</param>
    /// <param name="write">True when it is made where it is not there.</param>
    /// <exception cref="UnusableStoreException">It is none.</exception>
    public static void Check(string path, bool write)
    {
        string name = SafeText.Clean(path);
        try
        {
            byte[] start = new byte[s_start.Length];
            using FileStream file = RegularFile.OpenRead(path, bufferSize: 0);
            int length = file.ReadAtLeast(start, start.Length, throwOnEndOfStream: false);
            if (!(length == 0 && write) && !start.AsSpan(0, length).SequenceEqual(s_start))
            {
                throw new UnusableStoreException(length == 0 ? $"{name}: this file is empty; name a store that dumpanalyze triage --store has written"
                    : $"{name}: this is no store: it does not begin as an SQLite database; name another file");
            }
        }
        catch (Exception error) when (error is FileNotFoundException or DirectoryNotFoundException)
        {
            if (!write || Path.GetDirectoryName(Path.GetFullPath(path)) is not { } folder || !Directory.Exists(folder))
            {
                throw new UnusableStoreException(write ? $"{name}: its folder does not exist; make it first"
                    : $"{name}: there is no such file; name a store that dumpanalyze triage --store has written", error);
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new UnusableStoreException($"{name}: {SafeText.Clean(error.Message).TrimEnd('.')}", error);
        }
    }
}

/// <summary>What a store is opened for.</summary>
internal enum StoreAccess
{
    /// <summary>To read from it; nothing is changed.</summary>
    Read,

    /// <summary>To keep in it what was counted; a place that is no store of this version is refused and stays as it is.</summary>
    Keep,

    /// <summary>To write to it; made when it is not there, brought up to date when it is older.</summary>
    Write,
}
