using Dump.Model.Facts;

namespace Dump.Triage.Watching;

/// <summary>What a watch does besides keeping records.</summary>
public sealed record WatchOptions
{
    /// <summary>Tells of a hang that comes for the first time; what is not taken is tried again. Null to tell of none.</summary>
    public Func<WatchNotice, NoticeOutcome>? Notify { get; init; }

    /// <summary>Weakest confidence that is told of; crashes are in any case.</summary>
    public Confidence Weakest { get; init; } = Confidence.Likely;

    /// <summary>File with the buckets that were told of; null with <see cref="Notify"/> null.</summary>
    public string? Notices { get; init; }

    /// <summary>Dumps of one hang, the same on each thread of its verdict, that stay on the disk; null to delete none.</summary>
    public int? Examples { get; init; }

    /// <summary>Told of each dump that was deleted: its path, and that of one that stays and is the same.</summary>
    public Action<string, string>? Deleted { get; init; }

    /// <summary>Told of each state at rest: after each round.</summary>
    public Action<WatchState>? Report { get; init; }

    /// <summary>How long a file has to be unchanged.</summary>
    public TimeSpan Rest { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Pause between two looks; longer where a look itself takes long.</summary>
    public TimeSpan Pause { get; init; } = TimeSpan.FromSeconds(2);
}
