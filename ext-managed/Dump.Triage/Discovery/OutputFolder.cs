using Dump.Triage.Records;

namespace Dump.Triage.Discovery;

/// <summary>Knows the folders that runs write to by what lies in them, so that none is searched for dumps.</summary>
internal static class OutputFolder
{
    private const string Results = "results";
    private const string Summary = "summary";

    /// <summary>True for the entries of a folder that a run has written to.</summary>
    /// <param name="entries">Paths of its entries.</param>
    public static bool IsOne(IReadOnlyCollection<string> entries)
    {
        HashSet<string> names = [.. entries.Select(e => Path.GetFileName(e))];
        return names.Contains(RunLock.Name) && names.Contains(RecordFiles.Folder) && names.Any(n => IsOf(n, Results, ".jsonl"));
    }

    /// <summary>True for an entry of such a folder that a run writes.</summary>
    /// <param name="path">Path of the entry.</param>
    public static bool IsOwnEntry(string path)
    {
        string name = Path.GetFileName(path);
        return name == RecordFiles.Folder || name.StartsWith(RunLock.Name, StringComparison.Ordinal) || name.EndsWith(AsideFile.Suffix, StringComparison.Ordinal)
            || IsOf(name, Results, ".jsonl") || IsOf(name, Summary, ".json");
    }

    // "results.jsonl", or "results-1-of-4.jsonl" of a part.
    private static bool IsOf(string name, string start, string end) =>
        name == start + end || (name.StartsWith(start + "-", StringComparison.Ordinal) && name.Contains("-of-", StringComparison.Ordinal) && name.EndsWith(end, StringComparison.Ordinal));
}
