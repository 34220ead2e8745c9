using System.Collections.Immutable;
using Dump.Model.Waits;

namespace Dump.Readers.Linux.Locks;

/// <summary>Who waits for which locks of native code, and who holds them.</summary>
/// <param name="Waits">The waits.</param>
/// <param name="Ownerships">The holders.</param>
/// <param name="States">What locks tell of themselves that have no single owner.</param>
public sealed record NativeLockFacts(
    ImmutableArray<WaitFact> Waits, ImmutableArray<OwnershipFact> Ownerships, ImmutableDictionary<Resource, string> States)
{
    /// <summary>The threads by the ids that the process itself knows; null where nothing was read.</summary>
    internal ThreadDescriptors? Descriptors { get; init; }

    /// <summary>Nothing is known.</summary>
    public static NativeLockFacts None { get; } = new([], [], ImmutableDictionary<Resource, string>.Empty);
}
