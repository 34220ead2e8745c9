using Dump.Model.Text;
using Microsoft.Data.Sqlite;

namespace Dump.Store.Engines;

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
