using System.Collections.Immutable;
using Dump.Model.Facts;

namespace Dump.Model.Verdicts;

/// <summary>What a detector found, complete enough to be reported without looking at the snapshot again, except for frames.</summary>
public sealed record Verdict
{
    /// <summary>Stable id of the detector, <c>DUMP####</c>.</summary>
    public required string DetectorId { get; init; }

    /// <summary>Short title, for example <c>Loader-lock deadlock</c>.</summary>
    public required string Title { get; init; }

    /// <summary>The weakest necessary fact decides.</summary>
    public required Confidence Confidence { get; init; }

    /// <summary>Sentences in the order in which they are to be read; the first is the strongest.</summary>
    public required ImmutableArray<Claim> Claims { get; init; }

    /// <summary>The cycle or chain, in order; empty when there is none.</summary>
    public ImmutableArray<ChainLink> Chain { get; init; } = [];

    /// <summary>Threads that take part, in the order of the chain. Used to tell whether another verdict already explains a thread.</summary>
    public required ImmutableArray<uint> Threads { get; init; }

    /// <summary>Stacks that prove it.</summary>
    public ImmutableArray<StackExcerpt> Stacks { get; init; } = [];

    /// <summary>The code to look at, or null when the data do not say.</summary>
    public Culprit? Culprit { get; init; }

    /// <summary>The innermost function of the program's own on each of its threads, the first few; empty where there is none.</summary>
    public ImmutableArray<CodePlace> LookAt { get; init; } = [];

    /// <summary>A hash of the program's functions on each of its threads, all of them; null where they are not known whole.</summary>
    public string? ProgramChain { get; init; }

    /// <summary>
    /// The async methods that it is about, as in their source, in the order of their awaits: pending ones have no thread. Empty for a verdict on threads alone.
    /// </summary>
    public ImmutableArray<string> AsyncMethods { get; init; } = [];

    /// <summary>
    /// Of a crash, its kind, the same in all dumps of it: the exception object's type, else the code or signal, without addresses. Null for a hang.
    /// </summary>
    public string? Failure { get; init; }

    /// <summary>Threads that queue behind it.</summary>
    public ImmutableArray<VictimGroup> Victims { get; init; } = [];

    /// <summary>What to do, one sentence each.</summary>
    public ImmutableArray<string> Remedies { get; init; } = [];

    /// <summary>What could not be decided about this finding, and how to capture it.</summary>
    public ImmutableArray<MissingData> Undecided { get; init; } = [];
}
