namespace Dump.Triage.Children;

/// <summary>Whether a child gets on, by the processor time that it uses and the bytes that it writes.</summary>
/// <param name="group">The child with all that it starts.</param>
/// <param name="limits">How long it may stand still.</param>
internal sealed class ChildProgress(IProcessGroup group, ChildLimits limits)
{
    // Of one processor. A runtime with nothing to do uses less; who has to share the machine with a hundred others gets more.
    private const double LeastShare = 0.005;
    private static readonly TimeSpan s_between = TimeSpan.FromSeconds(1);
    private TimeSpan _looked;
    private TimeSpan _last;
    private TimeSpan _used;
    private long _written;

    /// <summary>True when it has used no processor time and written nothing for the time of <see cref="ChildLimits.Idle"/>.</summary>
    /// <param name="now">Time since its start. What was looked at less than a second ago is not looked at again.</param>
    public bool HasStopped(TimeSpan now)
    {
        if (limits.Idle is not { } idle || now - _looked < s_between)
        {
            return false;
        }

        _looked = now;
        TimeSpan? used = group.ProcessorTime();
        long written = limits.Written?.Invoke() ?? 0;
        if (used is null || (used.Value - _used).Duration() >= idle * LeastShare || written != _written)
        {
            (_last, _used, _written) = (now, used ?? _used, written);
        }

        return now - _last > idle;
    }
}
