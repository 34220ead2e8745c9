using System.Collections.Immutable;

namespace Dump.Model.Managed;

/// <summary>Equal chains below a task that awaits several.</summary>
/// <param name="Count">How many of the awaited tasks have it.</param>
/// <param name="Steps">The chain; empty where it is left out because the forest is too deep.</param>
public sealed record AsyncBranch(long Count, ImmutableArray<AsyncStep> Steps);
