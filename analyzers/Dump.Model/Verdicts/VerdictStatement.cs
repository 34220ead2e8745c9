using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;

namespace Dump.Model.Verdicts;

/// <summary>What a verdict says, whether it was just found (<see cref="Verdict"/>) or stands in a report (<see cref="Reported.ReportedVerdict"/>).</summary>
public abstract record VerdictStatement
{
    /// <summary>Stable id of the detector, <c>DUMP####</c>.</summary>
    [JsonPropertyName("id"), JsonPropertyOrder(0)]
    public required string DetectorId { get; init; }

    /// <summary>Short title, for example <c>Loader-lock deadlock</c>.</summary>
    [JsonPropertyOrder(1)]
    public string Title { get; init => field = value ?? ""; } = "";

    /// <summary>The weakest necessary fact decides.</summary>
    [JsonPropertyOrder(2)]
    public required Confidence Confidence { get; init; }

    /// <summary>Sentences, the strongest first.</summary>
    [JsonPropertyOrder(3)]
    public ImmutableArray<Claim> Claims { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Threads that take part, in the order of the chain.</summary>
    [JsonPropertyOrder(4)]
    public ImmutableArray<uint> Threads { get; init => field = value.OrEmpty(); } = [];

    /// <summary>The code to look at, or null when the data do not say.</summary>
    [JsonPropertyOrder(5)]
    public Culprit? Culprit { get; init; }

    /// <summary>The innermost function of the program's own on each of its threads, the first few; left out where there is none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyOrder(6)]
    public ImmutableArray<CodePlace> LookAt { get; init => field = value.OrEmpty(); } = [];

    /// <summary>
    /// A hash of the program's functions on each of its threads, all of them: equal in two reports whose threads came the same way. Left out where they are not
    /// known whole.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(7)]
    public string? ProgramChain { get; init; }

    /// <summary>
    /// The async methods that it is about, as in their source, in the order of their awaits: pending ones have no thread. Left out of a verdict on threads
    /// alone.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyOrder(8)]
    public ImmutableArray<string> AsyncMethods { get; init => field = value.OrEmpty(); } = [];

    /// <summary>
    /// Of a crash, its kind, the same in all dumps of it: the exception object's type, else the code or signal, without addresses. Left out of a hang.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(9)]
    public string? Failure { get; init; }

    /// <summary>The cycle or chain, in order; empty when there is none.</summary>
    [JsonPropertyOrder(10)]
    public ImmutableArray<ChainLink> Chain { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Threads that queue behind it.</summary>
    [JsonPropertyOrder(12)]
    public ImmutableArray<VictimGroup> Victims { get; init => field = value.OrEmpty(); } = [];

    /// <summary>What to do, one sentence each.</summary>
    [JsonPropertyOrder(13)]
    public ImmutableArray<string> Remedies { get; init => field = value.OrEmpty(); } = [];

    /// <summary>What could not be decided about this finding, and how to capture it.</summary>
    [JsonPropertyOrder(15)]
    public ImmutableArray<MissingData> Undecided { get; init => field = value.OrEmpty(); } = [];
}
