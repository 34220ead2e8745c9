using Dump.Model.Merging;

namespace Dump.Triage;

/// <summary>Something that was passed over, or that a person should know, without being a dump's record.</summary>
/// <param name="Path">Where, as the command line or the folder names it (sanitised).</param>
/// <param name="Message">What, as a clause without a full stop (sanitised).</param>
public sealed record TriageWarning(string Path, string Message)
{
    /// <summary>True when a dump may have been passed over there, or only a part of it was read: with that, nothing found is no all-clear.</summary>
    public bool NotLookedAt { get; init; }

    /// <summary>True when a record without a report stands for it, so that it is counted already.</summary>
    public bool HasRecord { get; init; }

    /// <summary>For warnings that are read back: what is missing on their account.</summary>
    public TriageGapKind Kind { get; init; } = TriageGapKind.NotLookedAt;
}
