using System.Collections.Immutable;

namespace Dump.Capture.Shim;

/// <summary>What DbgShim answers of a process.</summary>
/// <param name="Runtimes">The runtimes that it lists; empty when it fails.</param>
/// <param name="Failure">Why it did not answer, as a clause; null when it did.</param>
public sealed record ShimAnswer(ImmutableArray<ShimRuntime> Runtimes, string? Failure);
