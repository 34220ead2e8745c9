using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;
using Dump.Model.Verdicts;

namespace Dump.Model.Reported;

/// <summary>A verdict as a report states it, with the frames that prove it.</summary>
public sealed record ReportedVerdict
{
    /// <summary>Stable id of the detector, <c>DUMP####</c>.</summary>
    [JsonPropertyName("id")]
    public required string DetectorId { get; init; }

    /// <summary>Short title, for example <c>Loader-lock deadlock</c>.</summary>
    public string Title { get; init => field = value ?? ""; } = "";

    /// <summary>The weakest necessary fact decides.</summary>
    public required Confidence Confidence { get; init; }

    /// <summary>Sentences, the strongest first.</summary>
    public ImmutableArray<Claim> Claims { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Threads that take part, in the order of the chain.</summary>
    public ImmutableArray<uint> Threads { get; init => field = value.OrEmpty(); } = [];

    /// <summary>The code to look at, or null when the data do not say.</summary>
    public Culprit? Culprit { get; init; }

    /// <summary>The innermost function of the program's own on each of its threads, the first few; left out where there is none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public ImmutableArray<CodePlace> LookAt { get; init => field = value.OrEmpty(); } = [];

    /// <summary>
    /// A hash of the program's functions on each of its threads, all of them: equal in two reports whose threads came the same way. Left out where they are not
    /// known whole.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? ProgramChain { get; init; }

    /// <summary>
    /// The async methods that it is about, as in their source, in the order of their awaits: pending ones have no thread. Left out of a verdict on threads
    /// alone.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public ImmutableArray<string> AsyncMethods { get; init => field = value.OrEmpty(); } = [];

    /// <summary>
    /// Of a crash, its kind, the same in all dumps of it: the exception object's type, else the code or signal, without addresses. Left out of a hang.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Failure { get; init; }

    /// <summary>The cycle or chain, in order; empty when there is none.</summary>
    public ImmutableArray<ChainLink> Chain { get; init => field = value.OrEmpty(); } = [];

    /// <summary>The frames that prove it.</summary>
    public ImmutableArray<ReportedStack> Stacks { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Threads that queue behind it.</summary>
    public ImmutableArray<VictimGroup> Victims { get; init => field = value.OrEmpty(); } = [];

    /// <summary>What to do, one sentence each.</summary>
    public ImmutableArray<string> Remedies { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Notes of others on this hang. Left out where there is none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public ImmutableArray<KnownIssue> KnownIssues { get; init => field = value.OrEmpty(); } = [];

    /// <summary>What could not be decided about this finding, and how to capture it.</summary>
    public ImmutableArray<MissingData> Undecided { get; init => field = value.OrEmpty(); } = [];
}
