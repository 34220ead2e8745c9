namespace Dump.Triage.Children;

/// <summary>What ended a child process.</summary>
public enum ChildEnd
{
    /// <summary>It ended by itself, or by a signal that is not ours.</summary>
    Itself,

    /// <summary>The time limit.</summary>
    Time,

    /// <summary>The memory limit.</summary>
    Memory,

    /// <summary>The limit of time without progress.</summary>
    Idle,

    /// <summary>It wrote more than is kept.</summary>
    Output,
}
