using Dump.Model.Reported;

namespace Dump.Model.Merging;

/// <summary>What is kept of one dump of a folder.</summary>
public sealed record TriageRecord
{
    /// <summary>Identity of the dump's content: 64 hexadecimal digits in lower case (SHA-256 of its size and of parts of it). Copies have the same.</summary>
    public required string Identity { get; init; }

    /// <summary>Where it was found; of several copies the first in ordinal order.</summary>
    public required TriageSource Source { get; init; }

    /// <summary>How the analysis ended.</summary>
    public required TriageOutcome Outcome { get; init; }

    /// <summary>Why there is no report, as a sentence; null when there is one.</summary>
    public string? Reason { get; init; }

    /// <summary>Exit code of the analysis, or null when it was ended.</summary>
    public int? ExitCode { get; init; }

    /// <summary>
    /// Version of this tool, and of what else decides over the result (data-access libraries), as one line: a result made by another is made anew.
    /// </summary>
    public required string Tool { get; init; }

    /// <summary>The report, or null when there is none.</summary>
    public HangReport? Report { get; init; }

    /// <summary>What was answered about the dump, in words that queries can ask for: one of <see cref="TriageAnswers"/>.</summary>
    public string Answer => TriageAnswers.Of(Report);
}
