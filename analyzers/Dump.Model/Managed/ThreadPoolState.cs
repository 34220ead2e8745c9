using System.Collections.Immutable;

namespace Dump.Model.Managed;

/// <summary>The managed thread pool.</summary>
/// <param name="Workers">Operating system ids of its worker threads.</param>
/// <param name="MaximumWorkers">Most workers it may have, or null when unknown.</param>
/// <param name="QueuedItems">Work items that wait for a worker, in the global queue and the workers' own, or null when they could not be counted.</param>
public sealed record ThreadPoolState(ImmutableArray<uint> Workers, int? MaximumWorkers, int? QueuedItems);
