using Dump.Model.Merging;
using Dump.Triage.Discovery;
using Dump.Triage.Records;

namespace Dump.Triage.Runs;

/// <summary>Records of dumps that were still being written when they were read: whole, they are other dumps with records of their own.</summary>
internal static class StaleRecords
{
    /// <summary>
    /// Removes the records that say "vanished" of places where something else lies now. Others stay: that a dump was deleted makes no record wrong.
    /// </summary>
    /// <param name="output">Folder of the records.</param>
    /// <param name="found">All dumps that are there now.</param>
    public static void Remove(string output, IReadOnlyCollection<FoundDump> found)
    {
        HashSet<string> identities = [.. found.Select(d => d.Identity)];
        HashSet<(string Path, string? Member)> places = [.. found.SelectMany(d => d.Places).Select(p => (p.Source.Path, p.Source.Member))];
        string[] others = [.. RecordFiles.Enumerate(output).Where(f => !identities.Contains(Path.GetFileNameWithoutExtension(f)))];
        foreach (string path in others)
        {
            bool? isStale = RecordFiles.Read<object>(path, r => r.Outcome == TriageOutcome.Vanished && r.Sources.All(s => places.Contains((s.Path, s.Member))),
                out _) as bool?;
            if (isStale == true)
            {
                AtomicFile.Remove(path);
            }
        }
    }
}
