namespace Dump.Model.Process;

/// <summary>What a thread was doing at the moment of the dump, by its innermost frames.</summary>
public enum ThreadActivityKind
{
    /// <summary>Unknown: no registers, or a system call that is not in the tables.</summary>
    Unknown,

    /// <summary>Executing instructions outside a system call.</summary>
    Running,

    /// <summary>Giving up its time slice (<c>NtYieldExecution</c>, or a zero-time delay): typical of a spin loop.</summary>
    Yielding,

    /// <summary>Sleeping for a time.</summary>
    Sleeping,

    /// <summary>Waiting for a resource.</summary>
    Waiting,

    /// <summary>Waiting for new work or input: idle, healthy.</summary>
    Idle,

    /// <summary>In another system call.</summary>
    SystemCall,

    /// <summary>Made, and not yet begun: it stands before the first instruction of its code.</summary>
    NotStarted,
}
