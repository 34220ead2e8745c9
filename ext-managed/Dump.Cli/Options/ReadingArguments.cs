using System.Collections.Immutable;

namespace Dump.Cli.Options;

/// <summary>Arguments that say how dumps are read, for the processes of this program that read them.</summary>
/// <param name="WithSymbols">For commands that name functions.</param>
/// <param name="OfTasks">For <c>tasks</c>.</param>
/// <param name="OfObjects">For <c>object</c>.</param>
internal sealed record ReadingArguments(ImmutableArray<string> WithSymbols, ImmutableArray<string> OfTasks, ImmutableArray<string> OfObjects);
