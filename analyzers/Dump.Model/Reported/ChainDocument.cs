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

    /// <summary>Ids of threads of which the dump does not tell what they do, so that they may wait without having a chain.</summary>
    public ImmutableArray<uint> UnknownThreads { get; init; } = [];
}
