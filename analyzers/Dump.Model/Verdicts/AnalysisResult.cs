using System.Collections.Immutable;
using System.Text.Json.Serialization;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;

namespace Dump.Model.Verdicts;

/// <summary>The judgement on one snapshot.</summary>
/// <param name="Verdicts">Verdicts, strongest first; verdicts that another one explains are left out.</param>
/// <param name="Outcomes">How each detector ended, in the order of their ids.</param>
public sealed record AnalysisResult(ImmutableArray<Verdict> Verdicts, ImmutableArray<DetectorOutcome> Outcomes)
{
    /// <summary>Sentences on what was seen besides; of two dumps, what the first showed and the second does not.</summary>
    public ImmutableArray<string> Notes { get; init; } = [];

    /// <summary>What stood still and what moved over three or more dumps; null for fewer.</summary>
    public SeriesHistory? Series { get; init; }

    /// <summary>Ids of the detectors that were asked, when not all were; empty when all were.</summary>
    public ImmutableArray<string> Only { get; init; } = [];

    /// <summary>
    /// Without a verdict, the thread that a person would look at first, with the reason as its role; null with a verdict, or when no thread is to be preferred.
    /// </summary>
    public StackExcerpt? Focus { get; init; }

    /// <summary>
    /// The thread for whose end that one waits, and so on, where this one waits itself; null where it waits for the end of none, or the last of them goes on.
    /// </summary>
    public StackExcerpt? FocusAwaits { get; init; }

    /// <summary>Waits that no verdict judges although they matter; those that leave the answer undecided first.</summary>
    public ImmutableArray<OpenWait> OpenWaits { get; init; } = [];

    /// <summary>Requests that are served and sent, in groups, the first few; empty when there is none, or they were not looked for.</summary>
    public ImmutableArray<RequestGroup> Requests { get; init; } = [];

    /// <summary>True when nothing was found, and a later look at the process may show that something stands still.</summary>
    public bool AsksForAnotherLook { get; init; }

    /// <summary>True when nothing was found and at least one detector lacked data: the answer is "cannot decide", not "no problem".</summary>
    public bool IsUndecidable => Verdicts.IsEmpty && Outcomes.Any(o => o.Kind is DetectorOutcomeKind.InsufficientData or DetectorOutcomeKind.Failed);
}

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

/// <summary>What a thread of the last of several dumps did before.</summary>
/// <param name="ThreadId">The thread.</param>
/// <param name="StandsSince">
/// Number of the dump, 1-based, since which it has stood at the same frames in every one; null when it did not in the last but one, or its frames are unknown.
/// </param>
public sealed record ThreadHistory([property: JsonPropertyName("thread"), JsonRequired] uint ThreadId, int? StandsSince)
{
    /// <summary>CPU time in microseconds that it used from each dump to the next; null where that is not recorded in both.</summary>
    public ImmutableArray<long?> UsedMicroseconds { get; init => field = value.OrEmpty(); } = [];

    /// <summary>What it waits for in the last dump.</summary>
    public ImmutableArray<WaitHistory> Waits { get; init => field = value.OrEmpty(); } = [];
}

/// <summary>A wait of the last of several dumps.</summary>
/// <param name="Resource">What is waited for, in words.</param>
/// <param name="Holder">The thread that holds it, or null when it is unknown.</param>
/// <param name="StandsSince">
/// Number of the dump, 1-based, since which the thread has waited for it in every one, behind the same holder; null when it did not in the last but one.
/// </param>
public sealed record WaitHistory([property: JsonRequired] string Resource, uint? Holder, int? StandsSince);
