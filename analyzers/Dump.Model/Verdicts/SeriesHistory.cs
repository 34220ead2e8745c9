using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Model.Verdicts;

/// <summary>What stood still and what moved over three or more dumps of one process.</summary>
public sealed record SeriesHistory
{
    /// <summary>The dumps in the order of their capture; the last is the one that is judged.</summary>
    [JsonRequired]
    public ImmutableArray<EarlierSource> Dumps { get; init => field = value.OrEmpty(); } = [];

    /// <summary>The threads of the last dump, those that have stood longest first, then in the order of their ids.</summary>
    [JsonRequired]
    public ImmutableArray<ThreadHistory> Threads { get; init => field = value.OrEmpty(); } = [];
}
