using System.Collections.Immutable;

namespace Dump.Analysis.Detection;

/// <summary>Orders lists of threads by the ids in them, so that the order of verdicts does not depend on that of the threads in the source.</summary>
internal sealed class ThreadOrder : IComparer<ImmutableArray<uint>>
{
    private ThreadOrder()
    {
    }

    /// <summary>The only one: it has no state.</summary>
    public static ThreadOrder Instance { get; } = new();

    /// <inheritdoc/>
    public int Compare(ImmutableArray<uint> first, ImmutableArray<uint> second) => first.AsSpan().SequenceCompareTo(second.AsSpan());
}
