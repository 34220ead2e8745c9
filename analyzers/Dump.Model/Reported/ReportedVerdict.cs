using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using Dump.Model.Facts;
using Dump.Model.Verdicts;

namespace Dump.Model.Reported;

/// <summary>A verdict as a report states it, with the frames that prove it.</summary>
public sealed record ReportedVerdict : VerdictStatement
{
    /// <summary>A verdict that says nothing yet.</summary>
    [JsonConstructor]
    public ReportedVerdict()
    {
    }

    /// <summary>What was found.</summary>
    /// <param name="found">The verdict; its stacks become frames.</param>
    [SetsRequiredMembers]
    public ReportedVerdict(VerdictStatement found)
        : base(found)
    {
    }

    /// <summary>The frames that prove it.</summary>
    [JsonPropertyOrder(11)]
    public ImmutableArray<ReportedStack> Stacks { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Notes of others on this hang. Left out where there is none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyOrder(14)]
    public ImmutableArray<KnownIssue> KnownIssues { get; init => field = value.OrEmpty(); } = [];
}
