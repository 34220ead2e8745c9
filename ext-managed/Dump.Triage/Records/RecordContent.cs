using System.Collections.Immutable;
using System.Text.Json;
using Dump.Model.Merging;
using Dump.Reports.Json;

namespace Dump.Triage.Records;

/// <summary>All that a record's file says.</summary>
internal sealed record RecordContent
{
    /// <summary>Identity of the dump's content.</summary>
    public required string Identity { get; init; }

    /// <summary>Where it lies, in ordinal order; never empty.</summary>
    public required ImmutableArray<TriageSource> Sources { get; init; }

    /// <summary>How the analysis ended.</summary>
    public required TriageOutcome Outcome { get; init; }

    /// <summary>Why there is no report; null when there is one.</summary>
    public string? Reason { get; init; }

    /// <summary>Exit code of the analysis, or null.</summary>
    public int? ExitCode { get; init; }

    /// <summary>What made it.</summary>
    public required string Tool { get; init; }

    /// <summary>The limit that it came up against, in words, or null: under another limit it is made anew.</summary>
    public string? Limit { get; init; }

    /// <summary>True when another attempt may end otherwise although nothing has changed.</summary>
    public bool MayChange { get; init; }

    /// <summary>The report as the analysis wrote it, or null.</summary>
    public JsonElement? Report { get; init; }

    /// <summary>Times and memory, or null when there was no analysis.</summary>
    public RunTiming? Timing { get; init; }

    /// <summary>True when another run, which would make the record anew, may keep it.</summary>
    /// <param name="tool">What would make it.</param>
    /// <param name="limits">The limits that it would work under.</param>
    public bool IsDone(string tool, IReadOnlyCollection<string> limits) => Tool == tool && !MayChange && (Limit is null || limits.Contains(Limit));

    /// <summary>True when the report is there and can be read, or there is to be none: nothing else would take a record of that kind as done.</summary>
    public bool IsWhole()
    {
        if (Report is not { } report)
        {
            return Outcome != TriageOutcome.Analysed;
        }

        try
        {
            _ = JsonReportReader.Read(report);
            return true;
        }
        catch (InvalidReportException)
        {
            return false;
        }
    }
}
