namespace Dump.Model.Process;

/// <summary>Processor time of a thread as the dump's writer recorded it.</summary>
/// <param name="Kernel">Time in kernel mode.</param>
/// <param name="User">Time in user mode.</param>
/// <param name="Created">When the thread was created (UTC), or null when not recorded.</param>
/// <param name="Elapsed">Time from the thread's creation to the dump, or null when either moment is unknown.</param>
public sealed record ThreadTimes(TimeSpan Kernel, TimeSpan User, DateTime? Created, TimeSpan? Elapsed)
{
    /// <summary>Kernel and user time together.</summary>
    public TimeSpan Total => Kernel + User;

    /// <summary>Share of one processor that the thread has used in its life, 0 to about 1, or null when its age is unknown or zero.</summary>
    public double? Load => Elapsed is { } age && age > TimeSpan.Zero ? Total / age : null;
}
