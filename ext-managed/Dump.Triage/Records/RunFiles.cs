namespace Dump.Triage.Records;

/// <summary>
/// Files that runs keep in their folder besides the records: <c>results.jsonl</c> and <c>summary.json</c>, with <c>-1-of-4</c> in the name for a part.
/// </summary>
public static class RunFiles
{
    /// <summary>The names of all summaries.</summary>
    internal const string SummaryPattern = Summary + "*" + SummarySuffix;

    private const string Results = "results";
    private const string ResultsSuffix = ".jsonl";
    private const string Summary = "summary";
    private const string SummarySuffix = ".json";

    /// <summary>True for a place where runs keep what they have written, or might: nothing else may be written there.</summary>
    /// <param name="folder">The folder that <c>--out</c> named.</param>
    /// <param name="path">Full path of the place.</param>
    /// <param name="comparer">Compares paths as the file system does.</param>
    public static bool Claims(string folder, string path, StringComparer comparer)
    {
        string records = Path.Combine(folder, RecordFiles.Folder) + Path.DirectorySeparatorChar;
        return (path.Length > records.Length && comparer.Equals(path[..records.Length], records))
            || (comparer.Equals(Path.GetDirectoryName(path), folder) && (IsLike(path, Results, ResultsSuffix) || IsLike(path, Summary, SummarySuffix)));
    }

    /// <summary>File of a run's results.</summary>
    /// <param name="folder">The folder that <c>--out</c> named.</param>
    /// <param name="shard">The part; null for all dumps.</param>
    internal static string ResultsOf(string folder, Shard? shard) => Path.Combine(folder, Name(Results, shard, ResultsSuffix));

    /// <summary>File of a run's summary.</summary>
    /// <param name="folder">The folder that <c>--out</c> named.</param>
    /// <param name="shard">The part; null for all dumps.</param>
    internal static string SummaryOf(string folder, Shard? shard) => Path.Combine(folder, Name(Summary, shard, SummarySuffix));

    /// <summary>Name of the summary of a run.</summary>
    /// <param name="shard">The part as text; null for all dumps.</param>
    internal static string SummaryName(string? shard) =>
        Name(Summary, shard is not null && Shard.TryParse(shard, out Shard? part) ? part : null, SummarySuffix);

    /// <summary>The part whose summary has a name; null for that of all dumps.</summary>
    internal static string? PartOf(string name) =>
        name.Length > Summary.Length + SummarySuffix.Length && name[(Summary.Length + 1)..^SummarySuffix.Length].Split("-of-") is [var index, var count]
            ? $"{index}/{count}" : null;

    /// <summary>True for the name of a file of results.</summary>
    internal static bool IsResults(string name) => IsOf(name, Results, ResultsSuffix);

    /// <summary>True for the name of a summary.</summary>
    internal static bool IsSummary(string name) => IsOf(name, Summary, SummarySuffix);

    private static string Name(string start, Shard? shard, string end) => shard is null ? start + end : $"{start}-{shard.FileNamePart}{end}";

    private static bool IsOf(string name, string start, string end) =>
        name == start + end
            || (name.StartsWith(start + "-", StringComparison.Ordinal) && name.Contains("-of-", StringComparison.Ordinal)
                && name.EndsWith(end, StringComparison.Ordinal));

    private static bool IsLike(string path, string start, string end) =>
        Path.GetFileName(path) is var name && name.StartsWith(start, StringComparison.OrdinalIgnoreCase)
            && name.EndsWith(end, StringComparison.OrdinalIgnoreCase);
}
