using System.Collections.Immutable;
using Dump.Model.Waits;

namespace Dump.Readers.Linux.Waits;

/// <summary>What threads of native code wait for that no word of theirs tells.</summary>
/// <param name="Waits">The waits.</param>
/// <param name="States">What is known of what they wait for.</param>
internal sealed record UnownedWaitFacts(ImmutableArray<WaitFact> Waits, ImmutableDictionary<Resource, string> States)
{
    /// <summary>Holders of locks for which the kernel does not let their threads wait.</summary>
    public ImmutableArray<OwnershipFact> Ownerships { get; init; } = [];

    /// <summary>Nothing is known.</summary>
    public static UnownedWaitFacts None { get; } = new([], ImmutableDictionary<Resource, string>.Empty);
}
