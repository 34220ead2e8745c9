using Dump.Triage.Records;

namespace Dump.Triage.Discovery;

/// <summary>Knows the folders that runs write to by what lies in them, so that none is searched for dumps.</summary>
internal static class OutputFolder
{
    /// <summary>True for the entries of a folder that a run has written to.</summary>
    /// <param name="entries">Paths of its entries.</param>
    public static bool IsOne(IReadOnlyCollection<string> entries)
    {
        HashSet<string> names = [.. entries.Select(e => Path.GetFileName(e))];
        return names.Contains(RunLock.Name) && names.Contains(RecordFiles.Folder) && names.Any(RunFiles.IsResults);
    }

    /// <summary>True for an entry of such a folder that a run writes.</summary>
    /// <param name="path">Path of the entry.</param>
    public static bool IsOwnEntry(string path)
    {
        string name = Path.GetFileName(path);
        return name == RecordFiles.Folder || name.StartsWith(RunLock.Name, StringComparison.Ordinal)
            || name.EndsWith(AtomicFile.Suffix, StringComparison.Ordinal)
            || RunFiles.IsResults(name) || RunFiles.IsSummary(name) || name == CopiedRuns.FileName;
    }
}
