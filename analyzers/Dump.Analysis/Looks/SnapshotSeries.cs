using System.Collections.Immutable;
using Dump.Model.Process;

namespace Dump.Analysis.Looks;

/// <summary>Snapshots of one process in the order of their capture.</summary>
public sealed class SnapshotSeries
{
    /// <summary>Most snapshots of a series: procdump writes at most as many as it is asked for, and all are in memory at once.</summary>
    public const int MostSnapshots = 16;

    private SnapshotSeries(ImmutableArray<ProcessSnapshot> snapshots) => Snapshots = snapshots;

    /// <summary>All of them, the oldest first; two or more.</summary>
    public ImmutableArray<ProcessSnapshot> Snapshots { get; }

    /// <summary>The last one, which is judged.</summary>
    public ProcessSnapshot Last => Snapshots[^1];

    /// <summary>Each earlier one with the last, the oldest first.</summary>
    public ImmutableArray<SnapshotPair> Pairs => [.. Snapshots[..^1].Select(s => SnapshotPair.Of(s, Last))];

    /// <summary>Puts snapshots in order.</summary>
    /// <param name="snapshots">Two or more; in the order of capture where the moments of capture do not tell.</param>
    /// <param name="difference">Why they are not of one process, when null is returned; else null.</param>
    public static SnapshotSeries? Create(IReadOnlyList<ProcessSnapshot> snapshots, out string? difference)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(snapshots.Count, 2);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(snapshots.Count, MostSnapshots);
        difference = snapshots.Skip(1).Select(s => ProcessIdentity.Difference(snapshots[0], s)).FirstOrDefault(d => d is not null);
        return difference is not null ? null
            : new SnapshotSeries(snapshots.All(s => s.Source.Captured is not null) ? [.. snapshots.OrderBy(s => s.Source.Captured)] : [.. snapshots]);
    }

    /// <summary>The two snapshots of a pair.</summary>
    public static SnapshotSeries Of(SnapshotPair pair) => new([pair.Earlier, pair.Later]);
}
