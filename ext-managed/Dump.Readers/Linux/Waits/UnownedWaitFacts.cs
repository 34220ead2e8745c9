using System.Collections.Immutable;
using Dump.Model.Waits;

namespace Dump.Readers.Linux.Waits;

/// <summary>What threads of native code wait for that nobody owns.</summary>
/// <param name="Waits">The waits.</param>
/// <param name="States">What is known of what they wait for.</param>
internal sealed record UnownedWaitFacts(ImmutableArray<WaitFact> Waits, ImmutableDictionary<Resource, string> States)
{
    /// <summary>Nothing is known.</summary>
    public static UnownedWaitFacts None { get; } = new([], ImmutableDictionary<Resource, string>.Empty);
}
