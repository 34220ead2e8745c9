namespace Dump.Model.Merging;

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
