using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Contract;
using Dump.Model.Facts;

namespace Dump.Model.Verdicts;

/// <summary>What a detector found, complete enough to be reported without looking at the snapshot again, except for frames.</summary>
public sealed record Verdict : VerdictStatement
{
    /// <summary>Stacks that prove it.</summary>
    public ImmutableArray<StackExcerpt> Stacks { get; init; } = [];
}

/// <summary>Which verdict of a dump goes first, and which is about a hang.</summary>
public static class VerdictRank
{
    private const int Factor = 2;

    /// <summary>The larger, the earlier: the surer a hang the earlier, and a crash after those that are likely, but before what is only suspected.</summary>
    /// <param name="detectorId">Id of the verdict's detector.</param>
    /// <param name="confidence">The verdict's confidence.</param>
    public static int Of(string detectorId, Confidence confidence) =>
        detectorId == DetectorIds.Crashed ? (Factor * (int)Confidence.Likely) - 1 : Factor * (int)confidence;

    /// <summary>The strongest confidence of a verdict on a hang, or null without one: crashes are none.</summary>
    /// <param name="verdicts">Each verdict's detector and confidence.</param>
    public static Confidence? StrongestHang(IEnumerable<(string DetectorId, Confidence Confidence)> verdicts) =>
        verdicts.Where(v => v.DetectorId != DetectorIds.Crashed).Max(v => (Confidence?)v.Confidence);
}

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

/// <summary>One sentence of a verdict with the confidence that belongs to it alone.</summary>
/// <param name="Text">A full sentence.</param>
/// <param name="Confidence">How much this sentence may claim.</param>
/// <param name="Evidence">Why; never empty.</param>
public sealed record Claim([property: JsonRequired] string Text, [property: JsonRequired] Confidence Confidence, ImmutableArray<Evidence> Evidence)
{
    /// <summary>True for what one moment does not tell: that another one may tell it, such as an earlier dump, takes the sentence away.</summary>
    [JsonIgnore]
    public bool IsOpenQuestion { get; init; }

    /// <summary>Why; never empty in a verdict.</summary>
    public ImmutableArray<Evidence> Evidence { get; init => field = value.OrEmpty(); } = Evidence.OrEmpty();
}

/// <summary>The code that a verdict blames.</summary>
/// <param name="Module">Module file name.</param>
/// <param name="Callback">The callback that runs, for example <c>TLS callback or DllMain (thread detach)</c>, or null.</param>
/// <param name="ThreadId">The thread it runs on.</param>
public sealed record Culprit([property: JsonRequired] string Module, string? Callback, [property: JsonPropertyName("thread"), JsonRequired] uint ThreadId)
{
    /// <summary>The module's file version, or null when unknown.</summary>
    public string? Version { get; init; }

    /// <summary>Who made the module, as its version resource says, or null when unknown.</summary>
    public string? Vendor { get; init; }

    /// <summary>The window message that the callback handles, for example <c>WM_TIMER</c>, or null when it handles none or it is unknown.</summary>
    public string? Message { get; init; }
}

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

/// <summary>What a victim was about to do.</summary>
public enum VictimKind
{
    /// <summary>Anything else, or nothing that the stack proves.</summary>
    Thread,

    /// <summary>It is starting: the loader would run its attach calls, and its start routine has not been reached.</summary>
    StartingThread,

    /// <summary>It is ending: the loader would run its detach calls.</summary>
    ExitingThread,
}
