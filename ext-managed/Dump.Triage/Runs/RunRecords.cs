using Dump.Model.Merging;
using Dump.Triage.Discovery;
using Dump.Triage.Records;

namespace Dump.Triage.Runs;

/// <summary>The records of a run that may go on: one for each dump, how many ended how, and which dump lay at which place when it was last looked at.</summary>
/// <param name="output">Where they are kept.</param>
internal sealed class RunRecords(IRunOutput output)
{
    private readonly Dictionary<string, RecordSummary> _done = [];
    private readonly Dictionary<string, (FoundFile File, HashSet<string> Identities)> _lying = new(StringComparer.Ordinal);

    /// <summary>How they ended.</summary>
    public TriageCounts Counts { get; private set; } = new();

    /// <summary>All of them.</summary>
    public IReadOnlyCollection<RecordSummary> All => _done.Values;

    /// <summary>The record of a dump that has one.</summary>
    public RecordSummary this[string identity] => _done[identity];

    /// <summary>True for a dump with a record of this run.</summary>
    public bool Has(string identity) => _done.ContainsKey(identity);

    /// <summary>True for one whose record another attempt would not change.</summary>
    public bool HasSettled(string identity) => _done.TryGetValue(identity, out RecordSummary? record) && !record.Record.MayChange;

    /// <summary>Counts a record, in place of the one of the same dump.</summary>
    public void Take(RecordSummary record)
    {
        TriageCounts before = _done.TryGetValue(record.Record.Identity, out RecordSummary? earlier) ? Counts.Without(earlier) : Counts;
        Counts = before.With(record);
        _done[record.Record.Identity] = record;
    }

    /// <summary>Gives a record other places.</summary>
    /// <param name="record">The record with its report, and with the places.</param>
    public void Move(RecordContent record)
    {
        output.Write(record);
        _done[record.Identity] = RecordSummary.Of(record);
    }

    /// <summary>
    /// Takes what was found: a file that has grown at its place is one dump, and was none before; so was what changed while it was read. Records of such states go,
    /// or lose the place. A dump that another was written over was one.
    /// </summary>
    /// <param name="found">Dumps of files that were looked at now.</param>
    /// <returns>True when a record has gone or changed.</returns>
    public bool Place(IEnumerable<FoundDump> found)
    {
        bool hasChanged = false;
        foreach (IGrouping<string, (string Identity, FoundFile File)> now in found
            .SelectMany(d => d.Places.Select(p => (d.Identity, p.File))).GroupBy(d => d.File.FullPath, StringComparer.Ordinal).ToArray())
        {
            FoundFile file = now.First().File;
            HashSet<string> identities = [.. now.Select(d => d.Identity)];
            if (_lying.TryGetValue(now.Key, out (FoundFile File, HashSet<string> Identities) earlier) && earlier.File.Status != file.Status)
            {
                foreach (string identity in earlier.Identities.Where(i => !identities.Contains(i) && IsState(i, earlier.File.Status, file)))
                {
                    hasChanged = true;
                    Leave(identity, file.Path);
                }
            }

            _lying[now.Key] = (file, identities);
        }

        return hasChanged;
    }

    /// <summary>True when a dump was a state of a file that is written on; false where another file may have taken its place, or its bytes.</summary>
    private bool IsState(string identity, EntryStatus before, FoundFile now)
    {
        if (!_done.TryGetValue(identity, out RecordSummary? record) || record.Record.Outcome == TriageOutcome.Vanished)
        {
            return record is not null;
        }

        // What could not be read, as where a header is written last, or was part of a file that was unpacked, has no bytes that can still be told.
        bool hasGrown = OperatingSystem.IsLinux() && before.Key == now.Status.Key && before.Size < now.Status.Size;
        return hasGrown && (record.Record.Outcome != TriageOutcome.Analysed || record.Record.Sources.Any(s => s.Member is not null)
            || DumpIdentity.OfBeginning(now.FullPath, before.Size) == identity);
    }

    private void Leave(string identity, string path)
    {
        RecordSummary record = _done[identity];
        if (record.Record.Sources.All(s => s.Path == path))
        {
            output.Remove(identity);
            Counts = Counts.Without(record);
            _done.Remove(identity);
            return;
        }

        output.Read<object>(identity, current =>
        {
            Move(current with { Sources = [.. current.Sources.Where(s => s.Path != path)] });
            return current.Identity;
        });
    }
}
