using System.Collections.Immutable;

namespace Dump.Model.Managed;

/// <summary>A thread blocks in a task that no thread is known to run.</summary>
/// <param name="ThreadId">Operating system id of the blocked thread.</param>
/// <param name="Steps">The chain of awaits; never empty.</param>
/// <param name="ThreadContext">The context that is current on the thread, or null when it has none.</param>
/// <param name="ContinuationContext">Address of the context that a continuation in the chain must be sent to: the thread's own where one of the pending steps
/// behind the first needs that, else the last one's; null when it has none or it is not known.</param>
public sealed record TaskWait(uint ThreadId, ImmutableArray<AwaitStep> Steps, SynchronizationContextFact? ThreadContext, ulong? ContinuationContext);
