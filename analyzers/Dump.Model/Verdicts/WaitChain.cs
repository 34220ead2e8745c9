using System.Collections.Immutable;

namespace Dump.Model.Verdicts;

/// <summary>The chain of waits that starts at a thread.</summary>
/// <param name="ThreadId">Where it starts.</param>
/// <param name="Links">Its links in order; empty when the thread waits for nothing.</param>
/// <param name="EndsInCycle">True when the last link leads back to a thread of the chain.</param>
public sealed record WaitChain(uint ThreadId, ImmutableArray<ChainLink> Links, bool EndsInCycle);
