using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Text.Json.Serialization;
using Dump.Model.Facts;
using Dump.Model.Verdicts;

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
}
