using System.Collections.Immutable;

namespace Dump.Model.Verdicts;

/// <summary>Threads that merely queue behind a cycle or an owner, with the same innermost frames.</summary>
/// <param name="ThreadIds">The threads, ascending.</param>
/// <param name="Description">Their common innermost frames or what they wait for, in one line.</param>
/// <param name="Kind">What they were about to do.</param>
public sealed record VictimGroup(ImmutableArray<uint> ThreadIds, string Description, VictimKind Kind = VictimKind.Thread);
