namespace Dump.Triage.Watching;

/// <summary>What became of a notice.</summary>
public enum NoticeOutcome
{
    /// <summary>It was taken.</summary>
    Taken,

    /// <summary>It was not taken; others may be.</summary>
    Refused,

    /// <summary>Whoever takes notices cannot be reached, so no other would be taken now.</summary>
    Unreachable,
}
