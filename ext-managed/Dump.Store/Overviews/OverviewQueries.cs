using System.Collections.Immutable;
using System.Data.Common;
using System.Globalization;
using Dump.Model.Merging;
using Dump.Model.Text;
using Dump.Store.Engines;

namespace Dump.Store.Overviews;

/// <summary>Asks the tables of a store for what an overview counts. No query reads a record, and each is answered from an index. Texts are cleaned.</summary>
/// <param name="database">The database.</param>
internal sealed class OverviewQueries(IDatabase database)
{
    /// <summary>Buckets with their numbers. Grouped before they are joined: so the index alone is passed over, in its order.</summary>
    internal const string CountedBuckets = "(SELECT bucket, COUNT(*) AS dumps, MIN(captured) AS first_seen, MAX(captured) AS last_seen FROM stored_record "
        + "WHERE bucket IS NOT NULL GROUP BY bucket) r JOIN stored_bucket b ON b.bucket = r.bucket";

    private const int MostNames = 1000;
    private const int MostDays = 4000;
    private const int LongestText = 8192;

    /// <summary>How many dumps have each answer.</summary>
    public ImmutableDictionary<string, int> Answers() =>
        Rows("SELECT answer, COUNT(*) FROM stored_record GROUP BY answer", r => (Answer: Required(r, 0), Dumps: Number(r, 1)))

            // In a damaged store several may read as one.
            .GroupBy(a => a.Answer, StringComparer.Ordinal)
            .ToImmutableDictionary(g => g.Key, g => (int)Math.Min(g.Sum(a => (long)a.Dumps), int.MaxValue), StringComparer.Ordinal);

    /// <summary>How many dumps of an answer have detectors without data.</summary>
    public int Lacking(string answer) =>
        Count("SELECT COUNT(*) FROM stored_record WHERE answer = @answer AND lacking = 'yes'", ("answer", answer));

    /// <summary>How many dumps have verdicts of two kinds: of a crash and of a hang.</summary>
    public int CrashedBeside(string crash) => Count(
        "SELECT COUNT(DISTINCT r.sequence) FROM stored_finding f JOIN stored_record r ON r.sequence = f.sequence "
            + "WHERE f.detector = @crash AND r.answer IN ('confirmed', 'likely', 'suspected')", ("crash", crash));

    /// <summary>How many buckets there are of a kind, those of a detector or, with null, all.</summary>
    public int Buckets(string kind, string? detector) => Count(
        "SELECT COUNT(*) FROM stored_bucket b WHERE b.kind = @kind AND (@detector = '' OR b.detector = @detector) "
            + "AND EXISTS (SELECT 1 FROM stored_record r WHERE r.bucket = b.bucket)", ("kind", kind), ("detector", detector ?? ""));

    /// <summary>How many modules there are by name, large and small letters being the same; those of records that are gone do not count.</summary>
    public int Modules() => Count(
        "SELECT COUNT(DISTINCT lower(m.name)) FROM stored_module m WHERE EXISTS (SELECT 1 FROM stored_load l WHERE l.module = m.module)");

    /// <summary>Earliest and latest capture of all dumps.</summary>
    public (DateTime? First, DateTime? Last) Span()
    {
        // Each from one end of the index on days.
        string? first = Rows("SELECT MIN(day) FROM stored_record", r => Text(r, 0)).FirstOrDefault();
        string? last = Rows("SELECT MAX(day) FROM stored_record", r => Text(r, 0)).FirstOrDefault();
        return (Edge("MIN", first), Edge("MAX", last));
    }

    /// <summary>Buckets of all kinds, those with the most dumps first.</summary>
    public IReadOnlyList<CountedBucket> Counted(int most) => Buckets("", most);

    /// <summary>Buckets of a kind, those with the most dumps first.</summary>
    public IReadOnlyList<CountedBucket> Counted(int most, string kind) => Buckets("WHERE b.kind = @kind ", most, ("kind", kind));

    /// <summary>The dump to show of a bucket: of the strongest answer, the earliest.</summary>
    public string? Example(string bucket) => TriageAnswers.All
        .SelectMany(a => (IEnumerable<string>)["IS NOT NULL ORDER BY captured, identity", "IS NULL ORDER BY identity"], (answer, order) => Rows(
            $"SELECT identity FROM stored_record WHERE bucket = @bucket AND answer = @answer AND captured {order} LIMIT 1", r => Text(r, 0),
            ("bucket", bucket), ("answer", answer)).FirstOrDefault())
        .FirstOrDefault(i => i is not null);

    /// <summary>How many dumps of a bucket cannot be decided.</summary>
    public int Undecidable(string bucket) =>
        Count("SELECT COUNT(*) FROM stored_record WHERE bucket = @bucket AND answer = 'cannot decide'", ("bucket", bucket));

    /// <summary>Dumps of a bucket for each day, the latest days where there are very many.</summary>
    public ImmutableArray<(DateOnly Day, int Count)> Trend(string bucket) =>
    [
        .. Rows("SELECT substr(captured, 1, 10) AS d, COUNT(*) FROM stored_record WHERE bucket = @bucket AND captured IS NOT NULL "
                + "GROUP BY substr(captured, 1, 10) ORDER BY d DESC LIMIT @most", r => (Day: Text(r, 0), Count: Number(r, 1)),
                ("bucket", bucket), ("most", MostDays))
            .Select(d => (
                IsDay: DateOnly.TryParseExact(d.Day, "yyyy-MM-dd", CultureInfo.InvariantCulture, DateTimeStyles.None, out DateOnly day), Day: day, d.Count))
            .Where(d => d.IsDay).Select(d => (d.Day, d.Count)).OrderBy(d => d.Day),
    ];

    /// <summary>Names of a bucket's processes or machines with the number of dumps, the most frequent first.</summary>
    /// <param name="bucket">The bucket.</param>
    /// <param name="column"><c>process</c> or <c>machine</c>.</param>
    public ImmutableArray<(string Name, int Count)> Names(string bucket, string column) =>
    [
        .. Rows($"SELECT {column}, COUNT(*) FROM stored_record WHERE bucket = @bucket AND {column} IS NOT NULL GROUP BY {column} "
            + $"ORDER BY COUNT(*) DESC, {column} LIMIT @most", r => (Required(r, 0), Number(r, 1)), ("bucket", bucket), ("most", MostNames)),
    ];

    /// <summary>Dumps without a report, the latest first.</summary>
    public IReadOnlyList<string> NotAnalysed(int most) =>
        Rows("SELECT identity FROM stored_record WHERE answer = 'not analysed' ORDER BY sequence DESC LIMIT @most", r => Required(r, 0), ("most", most));

    /// <summary>Modules in their versions with the number of dumps, the most frequent first: as counted, and those of the records that came since.</summary>
    public IReadOnlyList<(string Name, string? Version, string? Vendor, string? System, int Dumps)> CountedModules(int most) => Rows(
        """
        SELECT m.name, m.version, m.vendor, m.system, CAST(SUM(c.dumps) AS bigint)
        FROM (SELECT module, dumps FROM stored_count UNION ALL
            SELECT module, COUNT(*) AS dumps
            FROM (SELECT +module AS module FROM stored_load WHERE sequence > (SELECT COALESCE(MAX(sequence), 0) FROM stored_counted)) l GROUP BY module) c
        JOIN stored_module m ON m.module = c.module
        GROUP BY m.module, m.name, m.version, m.vendor, m.system HAVING SUM(c.dumps) > 0
        ORDER BY SUM(c.dumps) DESC, m.module LIMIT @most
        """,
        r => (Required(r, 0), Text(r, 1), Text(r, 2), Text(r, 3), Number(r, 4)), ("most", most));

    private List<CountedBucket> Buckets(string condition, int most, params (string Name, object Value)[] parameters) => Rows(
        $"SELECT r.bucket, b.kind, b.detector, COALESCE(b.title, b.signature), r.dumps, r.first_seen, r.last_seen FROM {CountedBuckets} {condition}"
            + "ORDER BY r.dumps DESC, r.bucket LIMIT @most",
        r => new CountedBucket(Required(r, 0), Required(r, 1), Text(r, 2), Line(r, 3), Number(r, 4), Moment(Text(r, 5)), Moment(Text(r, 6))),
        [.. parameters, ("most", most)]);

    private static string? Text(DbDataReader reader, int column) =>
        reader.IsDBNull(column) ? null : SafeText.Clean(reader.GetString(column), LongestText);

    /// <summary>A text of several lines as one.</summary>
    private static string Line(DbDataReader reader, int column) =>
        reader.IsDBNull(column) ? "" : SafeText.Clean(reader.GetString(column).ReplaceLineEndings(" "), LongestText);

    /// <summary>A text that every row has.</summary>
    /// <exception cref="InvalidOperationException">It is missing: the store is damaged.</exception>
    private static string Required(DbDataReader reader, int column) => Text(reader, column) ?? throw new InvalidOperationException("a text is missing");

    /// <summary>A count, of which a damaged store may say anything.</summary>
    private static int Number(DbDataReader reader, int column) => (int)Math.Clamp(reader.GetInt64(column), 0, int.MaxValue);

    private static DateTime? Moment(string? text) => DateTime.TryParseExact(text, "yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture,
        DateTimeStyles.AdjustToUniversal | DateTimeStyles.AssumeUniversal, out DateTime moment) ? moment : null;

    private DateTime? Edge(string function, string? day) => day is null ? null
        : Rows($"SELECT {function}(captured) FROM stored_record WHERE day = @day", r => Moment(Text(r, 0)), ("day", day)).FirstOrDefault();

    private int Count(string query, params (string Name, object Value)[] parameters) => Rows(query, r => Number(r, 0), parameters).First();

    private List<T> Rows<T>(string query, Func<DbDataReader, T> read, params (string Name, object Value)[] parameters)
    {
        using DbCommand command = database.Connection.CreateCommand();
        command.CommandText = query;
        foreach ((string name, object value) in parameters)
        {
            DbParameter parameter = command.CreateParameter();
            (parameter.ParameterName, parameter.Value) = (name, value);
            command.Parameters.Add(parameter);
        }

        using DbDataReader reader = command.ExecuteReader();
        List<T> rows = [];
        while (reader.Read())
        {
            rows.Add(read(reader));
        }

        return rows;
    }
}
