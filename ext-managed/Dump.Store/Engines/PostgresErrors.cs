using Dump.Model.Text;
using Npgsql;

namespace Dump.Store.Engines;

/// <summary>PostgreSQL's error codes (its manual, appendix A) as lines that say what to do.</summary>
internal static class PostgresErrors
{
    private const string Serialization = "40001", Deadlock = "40P01";

    /// <summary>True where two writers met and one of them had to give way.</summary>
    public static bool IsPassing(Exception error) => error is PostgresException { SqlState: Serialization or Deadlock };

    /// <summary>What an error means, as a clause.</summary>
    public static string Explain(Exception error) => error is PostgresException answer ? answer.SqlState switch
    {
        "53100" => "the disk of the server is full; free some space and call this again",
        "53300" => "the server has no connection left; try again later",
        "25006" => "the server only reads at the moment, as a copy of another does; name the one that is written to",
        "42501" => "this user may not write there; give it the right to create a schema, or name another database",
        "3D000" => "there is no such database; make it by createdb, or name another one",
        "57P01" or "57P02" or "57P03" => "the server is being stopped or started; what was written stays, call this again",
        ['2', '8', ..] => $"the server does not let this user in ({Detail(error)}); give the password in PGPASSWORD or in a password file",
        ['X', 'X', ..] => $"the store is damaged ({Detail(error)}); restore a copy of it",
        _ => $"the server refused ({Detail(error)})",
    }
    : $"the server cannot be reached, or the connection was lost ({Detail(error)}); what was written stays, call this again";

    private static string Detail(Exception error) => SafeText.Clean(
        ((error as PostgresException)?.MessageText ?? (error.InnerException ?? error).Message).Trim(), 300).TrimEnd('.');
}
