using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;

namespace Dump.Model.Verdicts;

/// <summary>Threads that merely queue behind a cycle or an owner, with the same innermost frames.</summary>
/// <param name="ThreadIds">The threads, ascending.</param>
/// <param name="Description">Their common innermost frames or what they wait for, in one line.</param>
/// <param name="Kind">What they were about to do.</param>
public sealed record VictimGroup(
    ImmutableArray<uint> ThreadIds,
    [property: JsonPropertyOrder(1), JsonRequired] string Description,
    [property: JsonPropertyOrder(0)] VictimKind Kind = VictimKind.Thread)
{
    /// <summary>The threads, ascending.</summary>
    [JsonPropertyName("threads"), JsonPropertyOrder(2)]
    public ImmutableArray<uint> ThreadIds { get; init => field = value.OrEmpty(); } = ThreadIds.OrEmpty();
}
