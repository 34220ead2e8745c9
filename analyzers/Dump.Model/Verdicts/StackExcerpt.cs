using System.Collections.Immutable;

namespace Dump.Model.Verdicts;

/// <summary>The frames of one thread that prove something.</summary>
/// <param name="ThreadId">The thread.</param>
/// <param name="Role">The thread's part in the verdict, as a clause: <c>holds the loader lock, spins</c>.</param>
/// <param name="FrameIndexes">Indexes into the thread's stack of the frames that matter, ascending.</param>
public sealed record StackExcerpt(uint ThreadId, string Role, ImmutableArray<int> FrameIndexes)
{
    /// <summary>True for frames of the moment of the recorded exception, which need not be those of the thread when the dump was written.</summary>
    public bool IsOfException { get; init; }
}
