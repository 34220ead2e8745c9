namespace Dump.Readers.Minidump;

/// <summary>An entry of the HandleData stream.</summary>
/// <param name="Value">Handle value.</param>
/// <param name="TypeName">Object type such as <c>Event</c>, <c>Mutant</c>, <c>Thread</c> (sanitised), or null.</param>
/// <param name="ObjectName">Object name (sanitised), or null when it has none.</param>
/// <param name="Attributes">Handle attributes.</param>
/// <param name="GrantedAccess">Access mask.</param>
/// <param name="HandleCount">Handles to the object.</param>
/// <param name="PointerCount">References to the object.</param>
/// <param name="Information">Object information records; empty when the writer gave none.</param>
public sealed record MinidumpHandle(
    ulong Value,
    string? TypeName,
    string? ObjectName,
    uint Attributes,
    uint GrantedAccess,
    uint HandleCount,
    uint PointerCount,
    IReadOnlyList<MinidumpHandleInformation> Information)
{
    /// <summary>For a thread handle: the thread's id, or null when not recorded.</summary>
    public uint? ThreadId => First(MinidumpHandleInformation.ThreadInformation)?.ThreadId;

    /// <summary>For a thread handle: the process of that thread, or null when not recorded.</summary>
    public uint? ThreadProcessId => First(MinidumpHandleInformation.ThreadInformation)?.ThreadProcessId;

    /// <summary>For a thread handle: whether the thread has ended, or null when not recorded.</summary>
    public bool? ThreadHasEnded => First(MinidumpHandleInformation.ThreadInformation)?.ThreadHasEnded;

    /// <summary>For a process handle: the process' id, or null when not recorded.</summary>
    public uint? ProcessId => Information.Select(i => i.ProcessId).FirstOrDefault(id => id is not null);

    /// <summary>For a process handle: whether the process has ended, or null when not recorded.</summary>
    public bool? ProcessHasEnded => Information.Select(i => i.ProcessHasEnded).FirstOrDefault(ended => ended is not null);

    /// <summary>For a mutex: the process of the thread that owns it, or null when not recorded or free.</summary>
    public uint? MutexOwnerProcessId => First(MinidumpHandleInformation.MutexOwnerInformation)?.MutexOwnerProcessId;

    /// <summary>For a semaphore: how many more waits it lets through, or null when not recorded.</summary>
    public int? SemaphoreCount => First(MinidumpHandleInformation.SemaphoreInformation)?.SemaphoreCount;

    /// <summary>For a semaphore: its largest count, or null when not recorded.</summary>
    public int? SemaphoreMaximum => First(MinidumpHandleInformation.SemaphoreInformation)?.SemaphoreMaximum;

    /// <summary>For a mutex: the id of the thread that owns it, or null when not recorded or free.</summary>
    public uint? MutexOwnerThreadId => First(MinidumpHandleInformation.MutexOwnerInformation)?.MutexOwnerThreadId;

    /// <summary>For a mutex: its count (1 free, 0 or less held), or null when not recorded.</summary>
    public int? MutexCount => First(MinidumpHandleInformation.MutexInformation)?.MutexCount;

    /// <summary>For a mutex: whether a thread ended while holding it, or null when not recorded.</summary>
    public bool? MutexIsAbandoned => First(MinidumpHandleInformation.MutexInformation)?.MutexIsAbandoned;

    /// <summary>For an event: true for a manual-reset event, null when not recorded.</summary>
    public bool? EventIsManualReset => First(MinidumpHandleInformation.EventInformation)?.EventIsManualReset;

    /// <summary>For an event: true when it is signalled, null when not recorded.</summary>
    public bool? EventIsSignaled => First(MinidumpHandleInformation.EventInformation)?.EventIsSignaled;

    private MinidumpHandleInformation? First(uint type) => Information.FirstOrDefault(i => i.Type == type);
}
