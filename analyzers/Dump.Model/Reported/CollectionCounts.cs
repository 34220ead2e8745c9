using System.Collections.Immutable;

namespace Dump.Model.Reported;

/// <summary>How many collections were met, and how they were.</summary>
/// <param name="Checked">All that were met.</param>
/// <param name="Sound">Those that are sound.</param>
/// <param name="Broken">Those that are broken and listed.</param>
/// <param name="BeingChanged">Those that a thread is changing at this moment, which explains what does not fit.</param>
/// <param name="LeftOut">Broken ones that are not listed.</param>
/// <param name="Unreadable">Those that could not be read.</param>
/// <param name="Kinds">How many were met of each kind.</param>
public sealed record CollectionCounts(
    long Checked,
    long Sound,
    int Broken,
    int BeingChanged,
    long LeftOut,
    long Unreadable,
    ImmutableArray<CollectionKindCount> Kinds);
