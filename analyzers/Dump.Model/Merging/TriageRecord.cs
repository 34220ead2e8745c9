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

/// <summary>How the analysis of one dump of a folder ended.</summary>
public enum TriageOutcome
{
    /// <summary>There is a report: verdicts, "nothing found" or "cannot decide".</summary>
    Analysed,

    /// <summary>The file is a damaged dump, or one that cannot be read.</summary>
    Unreadable,

    /// <summary>The file changed or went away while it was read.</summary>
    Vanished,

    /// <summary>The process that analysed it crashed or reported an internal error.</summary>
    Crashed,

    /// <summary>The time limit ended it.</summary>
    TimedOut,

    /// <summary>The memory limit ended it.</summary>
    OutOfMemory,

    /// <summary>A limit of this tool forbids to unpack or to read it, for example an archive member that grows beyond all bounds.</summary>
    Refused,

    /// <summary>The record of the dump cannot be read in full: it is damaged, or a newer version made it. No record says so of itself.</summary>
    DamagedRecord,
}

/// <summary>Where a dump of a folder was found.</summary>
/// <param name="Path">Path as it was found, relative to the folder that was searched, with <c>/</c> between its parts (sanitised).</param>
/// <param name="Member">Path inside of the archive, or null for a file of its own.</param>
/// <param name="Size">Size of the dump in bytes, unpacked; null when unknown.</param>
public sealed record TriageSource(string Path, string? Member, long? Size)
{
    /// <summary>Path, and member where there is one, for people.</summary>
    public string Text => Member is null ? Path : $"{Path}!{Member}";
}
