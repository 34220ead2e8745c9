using System.Collections.Immutable;

namespace Dump.Model.Verdicts;

/// <summary>What a detector found, complete enough to be reported without looking at the snapshot again, except for frames.</summary>
public sealed record Verdict : VerdictStatement
{
    /// <summary>Stacks that prove it.</summary>
    public ImmutableArray<StackExcerpt> Stacks { get; init; } = [];
}
