using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Contract;
using Dump.Model.Verdicts;

namespace Dump.Model.Reported;

/// <summary>Who waits for whom, <c>dump-chains/1</c>: what <c>lockchain</c> prints.</summary>
public sealed record ChainDocument : ProcessDocument
{
    /// <inheritdoc/>
    [JsonPropertyOrder(-100)]
    public override string Schema => SchemaNames.Chains;

    /// <summary>The chains, each from the thread that it starts at.</summary>
    public ImmutableArray<WaitChain> Chains { get; init; } = [];

    /// <summary>
    /// The same waits as one tree, cycles first, then what most threads wait for; a flat list in which each node stands behind its parent. Empty when only one
    /// thread's chain was asked for.
    /// </summary>
    public ImmutableArray<WaitTreeNode> Tree { get; init; } = [];

    /// <summary>Ids of threads of which the dump does not tell what they do, so that they may wait without having a chain.</summary>
    public ImmutableArray<uint> UnknownThreads { get; init; } = [];
}
