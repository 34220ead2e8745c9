using System.Globalization;
using Dump.Model.Text;
using Dump.Triage.Records;
using Npgsql;

namespace Dump.Store.Engines;

/// <summary>
/// Where a PostgreSQL database is, as PostgreSQL's own programs write it: <c>postgres://USER@HOST:PORT/DATABASE?sslmode=require</c>, or for a socket
/// <c>postgres:///DATABASE?host=/run/postgresql</c> (PostgreSQL's manual, section "Connection URIs").
/// </summary>
internal static class PostgresAddress
{
    private const int LongestWait = 15;
    private const int LongestCommand = 300;
    private static readonly string[] s_schemes = ["postgres://", "postgresql://"];

    /// <summary>True for what begins as such an address.</summary>
    public static bool IsOne(string place) => s_schemes.Any(s => place.StartsWith(s, StringComparison.OrdinalIgnoreCase));

    /// <summary>The address for people, without its password (sanitised).</summary>
    public static string Name(string place)
    {
        int rest = place.IndexOf("://", StringComparison.Ordinal) + 3;
        int query = place.IndexOf('?', rest);
        if (IsAmbiguous(place))
        {
            // What of it is the password nobody knows.
            return SafeText.Clean($"postgres://{place[rest..].Split(':', '@', '/', '?')[0]}");
        }

        string whole = query < 0 ? place : place[..query];
        int user = whole.LastIndexOf('@');
        string named = user < 0 ? whole[rest..] : $"{whole[rest..user].Split(':')[0]}@{whole[(user + 1)..]}";
        return SafeText.Clean($"postgres://{named}");
    }

    /// <summary>Reads an address.</summary>
    /// <param name="place">The address.</param>
    /// <param name="schema">The schema whose tables are meant.</param>
    /// <exception cref="UnusableStoreException">It is none.</exception>
    public static NpgsqlConnectionStringBuilder Read(string place, string schema)
    {
        string rest = place[(place.IndexOf("://", StringComparison.Ordinal) + 3)..];
        if (IsAmbiguous(place))
        {
            throw new UnusableStoreException(
                $"{Name(place)}: there is an '@' after a '?'; write a '?' of the password as %3F, and an '@' after the question mark as %40");
        }

        (string head, string query) = Cut(rest, '?');
        (string authority, string database) = Cut(head, '/');
        int at = authority.LastIndexOf('@');
        (string user, string password) = at < 0 ? ("", "") : Cut(authority[..at], ':');
        (string host, string port) = Cut(authority[(at + 1)..], ':');
        NpgsqlConnectionStringBuilder settings = new()
        {
            Timeout = LongestWait,
            CommandTimeout = LongestCommand,
            Pooling = false,
            SearchPath = schema,
            ApplicationName = "dumpanalyze",
        };
        Set(settings, place, "host", host);
        Set(settings, place, "port", port);
        Set(settings, place, "user", user);
        Set(settings, place, "password", password);
        Set(settings, place, "dbname", database);
        foreach (string pair in query.Split('&', StringSplitOptions.RemoveEmptyEntries))
        {
            (string name, string value) = Cut(pair, '=');
            Set(settings, place, name, value);
        }

        return settings;
    }

    private static void Set(NpgsqlConnectionStringBuilder settings, string place, string name, string coded)
    {
        string value = Uri.UnescapeDataString(coded);
        if (value.Length == 0)
        {
            return;
        }

        switch (name)
        {
            case "host":
                settings.Host = value;
                break;
            case "port" when int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int port) && port is > 0 and <= ushort.MaxValue:
                settings.Port = port;
                break;
            case "user":
                settings.Username = value;
                break;
            case "password":
                settings.Password = value;
                break;
            case "dbname":
                settings.Database = value;
                break;
            case "sslmode" when Enum.TryParse(value.Replace("-", "", StringComparison.Ordinal), ignoreCase: true, out SslMode mode):
                settings.SslMode = mode;
                break;
            case "sslrootcert":
                settings.RootCertificate = value;
                break;
            default:
                // It may be the rest of a password with an '&'.
                string what = place.Contains("password=", StringComparison.OrdinalIgnoreCase) && name is not ("port" or "sslmode")
                    ? "what stands behind the question mark" : $"'{SafeText.Clean(name, 50)}'";
                throw new UnusableStoreException(
                    $"{Name(place)}: {what} is not understood there; give postgres://USER@HOST:PORT/DATABASE, "
                        + "and behind a question mark host, port, user, password, sslmode or sslrootcert");
        }
    }

    private static bool IsAmbiguous(string place) => place.IndexOf('?', StringComparison.Ordinal) is >= 0 and var query && place.IndexOf('@', query) >= 0;

    private static (string Before, string Behind) Cut(string text, char at) =>
        text.IndexOf(at, StringComparison.Ordinal) is >= 0 and var place ? (text[..place], text[(place + 1)..]) : (text, "");
}
