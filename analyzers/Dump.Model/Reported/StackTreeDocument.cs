using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Contract;

namespace Dump.Model.Reported;

/// <summary>All stacks as one tree, <c>dump-tree/1</c>: what <c>threads --tree</c> prints.</summary>
public sealed record StackTreeDocument : ProcessDocument
{
    /// <inheritdoc/>
    [JsonPropertyOrder(-100)]
    public override string Schema => SchemaNames.StackTree;

    /// <summary>The tree as a flat list, parents first.</summary>
    public ImmutableArray<ReportedBranch> Nodes { get; init; } = [];

    /// <summary>Ids of threads without any frame.</summary>
    public ImmutableArray<uint> ThreadsWithoutFrames { get; init; } = [];

    /// <summary>Ids of threads of which the dump does not tell what they do.</summary>
    public ImmutableArray<uint> UnknownThreads { get; init; } = [];
}

/// <summary>A run of frames that some threads share, down to where they part.</summary>
/// <param name="Node">Its number; 0 is the root.</param>
/// <param name="Parent">Number of the branch that it parts from, or null for the root.</param>
/// <param name="Frames">Names without offsets, outermost first.</param>
/// <param name="Threads">Ids of all threads that go through these frames.</param>
/// <param name="Ending">Those of them whose innermost frame is the last one here.</param>
public sealed record ReportedBranch(int Node, int? Parent, ImmutableArray<string> Frames, ImmutableArray<uint> Threads, ImmutableArray<uint> Ending);
