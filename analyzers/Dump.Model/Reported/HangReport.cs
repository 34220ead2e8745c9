using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using Dump.Model.Contract;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Model.Reported;

/// <summary>
/// What is said about one dump, <c>dump-report/1</c>: every format of a verdict is written from it, and
/// triage keeps it. Made from a judgement, or read back from a report that was stored.
/// </summary>
public sealed record HangReport : ProcessReport
{
    /// <summary>Makes one that says nothing yet.</summary>
    public HangReport()
    {
    }

    /// <summary>Makes one of facts that were read, without a judgement yet.</summary>
    [SetsRequiredMembers]
    public HangReport(ProcessReport facts)
        : base(facts)
    {
    }

    /// <summary>True when nothing was found and data are missing or a detector failed.</summary>
    [JsonPropertyName("undecidable"), JsonPropertyOrder(-70), JsonRequired]
    public bool IsUndecidable { get; init; }

    /// <summary>Ids of the detectors that were asked with <c>--only</c>: other hangs were not looked for. Absent when all were.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyOrder(-60)]
    public ImmutableArray<string> Only { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Verdicts, strongest first.</summary>
    [JsonPropertyOrder(-50), JsonRequired]
    public ImmutableArray<ReportedVerdict> Verdicts { get; init => field = value.OrEmpty(); } = [];

    /// <summary>How each detector ended, in the order of their ids.</summary>
    [JsonPropertyOrder(-40), JsonRequired]
    public ImmutableArray<DetectorOutcome> Detectors { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Without a verdict, the thread that a person would look at first; null with one, or when there is none to prefer.</summary>
    [JsonPropertyOrder(-30)]
    public ReportedFocus? Focus { get; init; }

    /// <summary>
    /// Waits that no verdict judges although they matter: of a window's thread, a lock's owner, the load owner, the focus; of a native Linux process all of
    /// them, grouped. Absent when there is none.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyOrder(-25)]
    public ImmutableArray<ReportedOpenWait> OpenWaits { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Requests in flight, in groups as <c>dumpanalyze requests</c> has them, the first few. Absent when there is none, or they were not looked for.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyOrder(-24)]
    public ImmutableArray<RequestGroup> Requests { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Sentences on what was seen besides; of two dumps, on what the first showed and the second does not. Absent when there is none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyOrder(-20)]
    public ImmutableArray<string> Notes { get; init => field = value.OrEmpty(); } = [];

    /// <summary>What stood still and what moved over three or more dumps. Absent for fewer.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(-15)]
    public SeriesHistory? Series { get; init; }

    /// <summary>The strongest confidence of a verdict on a hang, or null without one: crashes are none.</summary>
    [JsonIgnore]
    public Confidence? StrongestHang => VerdictRank.StrongestHang(Verdicts.Select(v => (v.DetectorId, v.Confidence)));

    /// <summary>Detectors that failed or lacked data.</summary>
    [JsonIgnore]
    public ImmutableArray<DetectorOutcome> Unanswered =>
        [.. Detectors.Where(d => d.Kind is DetectorOutcomeKind.InsufficientData or DetectorOutcomeKind.Failed)];

    /// <summary>All that is missing, each once: of the dump, then for single detectors.</summary>
    [JsonIgnore]
    public ImmutableArray<MissingData> AllMissing => [.. Missing.Concat(MissingForDetectors).Distinct()];

    /// <summary>What leaves the answer open: first what detectors lack.</summary>
    [JsonIgnore]
    public ImmutableArray<MissingData> Causes => [.. MissingForDetectors.Concat(Missing)];

    private IEnumerable<MissingData> MissingForDetectors => Unanswered.SelectMany(o => o.Missing);
}

/// <summary>The facts of one process as <c>dump-report/1</c> states them, without a judgement: all that <c>threads</c> prints.</summary>
public record ProcessReport : ProcessDocument
{
    /// <inheritdoc/>
    [JsonPropertyOrder(-100)]
    public override string Schema => SchemaNames.Report;

    /// <summary>The Windows loader.</summary>
    [JsonPropertyOrder(10)]
    public LoaderState Loader { get; init => field = value ?? LoaderState.Unknown; } = LoaderState.Unknown;

    /// <summary>The exception or signal that made the writer dump the process. Absent when it recorded none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull), JsonPropertyOrder(15)]
    public ReportedException? Exception { get; init; }

    /// <summary>All threads of the process, in the order of the dump; empty when the report does not list them.</summary>
    [JsonPropertyOrder(20)]
    public override ImmutableArray<ReportedThread> Threads { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Who waits for what.</summary>
    [JsonPropertyOrder(30)]
    public ImmutableArray<ReportedWait> Waits { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Who holds what.</summary>
    [JsonPropertyOrder(40)]
    public ImmutableArray<OwnershipFact> Ownerships { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Modules ordered by name; on Linux only files that hold code, without versions and builds.</summary>
    [JsonPropertyOrder(50)]
    public ImmutableArray<ReportedModule> Modules { get; init => field = value.OrEmpty(); } = [];

    /// <summary>Stacks of all threads where they were asked for; else empty.</summary>
    [JsonIgnore]
    public ImmutableArray<ReportedStack> Stacks => [.. Threads.Where(t => t.Frames is not null).Select(t => new ReportedStack(t.Id, null, t.Frames ?? []))];
}

/// <summary>The thread that a person would look at first when there is no verdict.</summary>
/// <param name="ThreadId">The thread.</param>
/// <param name="Role">Why it is shown: it handles the user interface, else the dump's exception record names it, else it is the program's first thread.</param>
/// <param name="Frames">Its frames, innermost first, at most 64.</param>
public sealed record ReportedFocus(
    [property: JsonPropertyName("thread"), JsonRequired] uint ThreadId,
    [property: JsonPropertyName("why")] string? Role,
    ImmutableArray<ReportedFrame> Frames)
{
    /// <summary>Its frames, innermost first, at most 64.</summary>
    public ImmutableArray<ReportedFrame> Frames { get; init => field = value.OrEmpty(); } = Frames.OrEmpty();

    /// <summary>
    /// The thread for whose end it waits, and so on, where this one waits itself: its frames, at most 64. Absent where it waits for the end of none, or the
    /// last of
    /// them goes on.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public ReportedStack? Awaited { get; init; }

    /// <summary>The same as stacks among others.</summary>
    [JsonIgnore]
    public ImmutableArray<ReportedStack> Stacks => Awaited is { } awaited ? [new(ThreadId, Role, Frames), awaited] : [new(ThreadId, Role, Frames)];
}

/// <summary>A module of the process, without what differs from run to run.</summary>
/// <param name="Name">File name without directory.</param>
/// <param name="Version">File version such as <c>10.0.19041.1</c>, or null when unknown.</param>
/// <param name="Vendor">Who made it, or null when unknown.</param>
/// <param name="IsSystem">True for modules of the operating system itself, false for others, null when it cannot be told.</param>
public sealed record ReportedModule(
    [property: JsonRequired] string Name,
    string? Version,
    string? Vendor,
    [property: JsonPropertyName("system")] bool? IsSystem)
{
    /// <summary>
    /// Which build it is, as a symbol server names an image: its link time stamp in 8 hexadecimal digits and
    /// its size in hexadecimal, such as <c>5F3A1B2C1A000</c>. Null when unknown.
    /// </summary>
    public string? Build { get; init; }
}

/// <summary>Frames of one thread.</summary>
/// <param name="ThreadId">The thread.</param>
/// <param name="Role">The thread's part as a clause (<c>holds the loader lock, spins</c>), or why it is shown; null when it is merely one of all.</param>
/// <param name="Frames">Innermost first; where only those that matter are given, their indexes have gaps.</param>
public sealed record ReportedStack(
    [property: JsonPropertyName("thread"), JsonPropertyOrder(0), JsonRequired] uint ThreadId,
    [property: JsonPropertyOrder(1)] string? Role,
    ImmutableArray<ReportedFrame> Frames)
{
    /// <summary>Innermost first; where only those that matter are given, their indexes have gaps.</summary>
    [JsonPropertyOrder(2)]
    public ImmutableArray<ReportedFrame> Frames { get; init => field = value.OrEmpty(); } = Frames.OrEmpty();

    /// <summary>How many frames the thread has behind the last one given; absent when there are none.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault), JsonPropertyOrder(3)]
    public int More { get; init; }
}

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

/// <summary>A thread waits for a resource.</summary>
public sealed record ReportedWait
{
    /// <summary>The waiting thread.</summary>
    [JsonPropertyName("thread")]
    public required uint ThreadId { get; init; }

    /// <summary>What it waits for.</summary>
    public required Resource Resource { get; init; }

    /// <summary>The same in words.</summary>
    [JsonPropertyName("text")]
    public string ResourceText { get; init => field = value ?? ""; } = "";

    /// <summary>What is known of the time limit.</summary>
    public WaitTimeout Timeout { get; init; }

    /// <summary>The finite time limit in milliseconds, or null when unknown.</summary>
    public long? Milliseconds { get; init; }

    /// <summary>True when the wait ends as soon as any one of several objects is signalled, of which this is one.</summary>
    [JsonPropertyName("any")]
    public bool IsWaitAny { get; init; }

    /// <summary>True when the object is recorded in a state that ends the wait; else absent.</summary>
    [JsonPropertyName("satisfied"), JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public bool IsSatisfied { get; init; }

    /// <summary>State of the kernel object in words; absent when not recorded.</summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? State { get; init; }

    /// <summary>How well thread, resource and the fact of waiting are known.</summary>
    public Grade Grade { get; init; }

    /// <summary>Why.</summary>
    public ImmutableArray<Evidence> Evidence { get; init => field = value.OrEmpty(); } = [];
}
