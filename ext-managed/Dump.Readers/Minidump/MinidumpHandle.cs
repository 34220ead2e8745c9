using System.Buffers.Binary;
using Dump.Model.Process;

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

/// <summary>
/// An object information record of a handle. Its layout is that of the NT information class of the same name and is checked by size before it is interpreted.
/// </summary>
/// <param name="Type">Type of the record, see the constants.</param>
/// <param name="Architecture">Architecture of the process, which decides the layout.</param>
/// <param name="Data">Its bytes.</param>
public sealed record MinidumpHandleInformation(uint Type, ProcessorArchitecture Architecture, ReadOnlyMemory<byte> Data)
{
    /// <summary>THREAD_BASIC_INFORMATION of a thread handle.</summary>
    public const uint ThreadInformation = 1;

    /// <summary>MUTANT_BASIC_INFORMATION of a mutex handle.</summary>
    public const uint MutexInformation = 2;

    /// <summary>MUTANT_OWNER_INFORMATION of a mutex handle.</summary>
    public const uint MutexOwnerInformation = 3;

    /// <summary>PROCESS_BASIC_INFORMATION of a process handle.</summary>
    public const uint ProcessInformation = 4;

    /// <summary>PROCESS_EXTENDED_BASIC_INFORMATION of a process handle, which begins with its own size.</summary>
    public const uint ExtendedProcessInformation = 5;

    /// <summary>EVENT_BASIC_INFORMATION of an event handle.</summary>
    public const uint EventInformation = 6;

    /// <summary>SEMAPHORE_BASIC_INFORMATION of a semaphore handle.</summary>
    public const uint SemaphoreInformation = 8;

    private bool Is64Bit => Architecture is ProcessorArchitecture.X64 or ProcessorArchitecture.Arm64;

    /// <summary>The thread's id, or null when the record is of another type or size.</summary>
    public uint? ThreadId => Type != ThreadInformation ? null
        : Is64Bit ? ReadUInt32(MinidumpHandleLayout.ThreadBasicSize64, MinidumpHandleLayout.ThreadBasicThreadId64)
        : ReadUInt32(MinidumpHandleLayout.ThreadBasicSize32, MinidumpHandleLayout.ThreadBasicThreadId32);

    /// <summary>The process that the thread belongs to, or null when the record is of another type or size.</summary>
    public uint? ThreadProcessId => Type != ThreadInformation ? null
        : Is64Bit ? ReadUInt32(MinidumpHandleLayout.ThreadBasicSize64, MinidumpHandleLayout.ThreadBasicProcessId64)
        : ReadUInt32(MinidumpHandleLayout.ThreadBasicSize32, MinidumpHandleLayout.ThreadBasicProcessId32);

    /// <summary>
    /// Whether the thread has ended, or null when the record is of another type or size. False for one that ended with the status that running threads have.
    /// </summary>
    public bool? ThreadHasEnded => Type != ThreadInformation ? null
        : ReadUInt32(Is64Bit ? MinidumpHandleLayout.ThreadBasicSize64 : MinidumpHandleLayout.ThreadBasicSize32,
            MinidumpHandleLayout.ThreadBasicExitStatus) is { } status
            ? status != MinidumpHandleLayout.StillActive : null;

    /// <summary>The process' id, or null when the record is of another type or size.</summary>
    public uint? ProcessId => ReadProcess(MinidumpHandleLayout.ProcessBasicProcessId64, MinidumpHandleLayout.ProcessBasicProcessId32);

    /// <summary>Whether the process has ended, or null when the record is of another type or size.</summary>
    public bool? ProcessHasEnded => ReadProcess(0, 0) is { } status ? status != MinidumpHandleLayout.StillActive : null;

    /// <summary>The process of the mutex' owner, or null when the record is of another type or size, or the mutex is free.</summary>
    public uint? MutexOwnerProcessId =>
        MutexOwnerThreadId is null ? null : ReadUInt32(MinidumpHandleLayout.MutantOwnerSize32, MinidumpHandleLayout.MutantOwnerProcessId);

    /// <summary>The mutex' owner, or null when the record is of another type or size, or the mutex is free.</summary>
    public uint? MutexOwnerThreadId
    {
        get
        {
            uint? owner = Type != MutexOwnerInformation ? null
                : Is64Bit ? ReadUInt32(MinidumpHandleLayout.MutantOwnerSize64, MinidumpHandleLayout.MutantOwnerThreadId64)
                : ReadUInt32(MinidumpHandleLayout.MutantOwnerSize32, MinidumpHandleLayout.MutantOwnerThreadId32);
            return owner == 0 ? null : owner;
        }
    }

    /// <summary>The mutex' count, or null.</summary>
    public int? MutexCount => Type == MutexInformation
        ? (int?)ReadUInt32(MinidumpHandleLayout.MutantBasicSize, MinidumpHandleLayout.MutantBasicCount)
        : null;

    /// <summary>Whether the mutex was abandoned, or null.</summary>
    public bool? MutexIsAbandoned => Type == MutexInformation && Data.Length >= MinidumpHandleLayout.MutantBasicSize
        ? Data.Span[MinidumpHandleLayout.MutantBasicAbandoned] != 0
        : null;

    /// <summary>Whether the event is a manual-reset event, or null.</summary>
    public bool? EventIsManualReset => Type == EventInformation
        ? ReadUInt32(MinidumpHandleLayout.EventBasicSize, MinidumpHandleLayout.EventBasicType) switch { null => null, 0 => true, _ => false }
        : null;

    /// <summary>Whether the event is signalled, or null.</summary>
    public bool? EventIsSignaled => Type == EventInformation
        ? ReadUInt32(MinidumpHandleLayout.EventBasicSize, MinidumpHandleLayout.EventBasicState) switch { null => null, 0 => false, _ => true }
        : null;

    /// <summary>How many more waits the semaphore lets through, or null.</summary>
    public int? SemaphoreCount => Type == SemaphoreInformation
        ? (int?)ReadUInt32(MinidumpHandleLayout.SemaphoreBasicSize, MinidumpHandleLayout.SemaphoreBasicCount)
        : null;

    /// <summary>The semaphore's largest count, or null.</summary>
    public int? SemaphoreMaximum => Type == SemaphoreInformation
        ? (int?)ReadUInt32(MinidumpHandleLayout.SemaphoreBasicSize, MinidumpHandleLayout.SemaphoreBasicMaximum)
        : null;

    /// <summary>A value of the basic process record, which the extended one contains.</summary>
    private uint? ReadProcess(int offset64, int offset32) => (Type, Is64Bit) switch
    {
        (ProcessInformation, true) => ReadUInt32(MinidumpHandleLayout.ProcessBasicSize64, offset64),
        (ProcessInformation, false) => ReadUInt32(MinidumpHandleLayout.ProcessBasicSize32, offset32),
        (ExtendedProcessInformation, true) => ReadUInt32(MinidumpHandleLayout.ProcessExtendedSize64, MinidumpHandleLayout.ProcessExtendedBasic64 + offset64),
        (ExtendedProcessInformation, false) => ReadUInt32(MinidumpHandleLayout.ProcessExtendedSize32, MinidumpHandleLayout.ProcessExtendedBasic32 + offset32),
        _ => null,
    };

    private uint? ReadUInt32(int requiredSize, int offset) =>
        Data.Length >= requiredSize ? BinaryPrimitives.ReadUInt32LittleEndian(Data.Span[offset..]) : null;
}

/// <summary>
/// Sizes and offsets of handle object information. Source: the public definitions of THREAD_BASIC_INFORMATION,
/// MUTANT_BASIC_INFORMATION, MUTANT_OWNER_INFORMATION, EVENT_BASIC_INFORMATION, SEMAPHORE_BASIC_INFORMATION, PROCESS_BASIC_INFORMATION
/// and PROCESS_EXTENDED_BASIC_INFORMATION (System Informer's phnt headers). That the records are these, process ones included, is known
/// from what Microsoft's dbgcore writes (goldshtn/msos reads the process id of the extended record at the same place).
/// </summary>
internal static class MinidumpHandleLayout
{
    /// <summary>Exit status of a thread or process that has not ended (STATUS_PENDING, STILL_ACTIVE in winbase.h).</summary>
    public const uint StillActive = 0x103;

    public const int ThreadBasicExitStatus = 0;
    public const int ThreadBasicSize64 = 0x30;
    public const int ThreadBasicProcessId64 = 0x10;
    public const int ThreadBasicThreadId64 = 0x18;
    public const int ThreadBasicSize32 = 0x1C;
    public const int ThreadBasicProcessId32 = 8;
    public const int ThreadBasicThreadId32 = 0xC;
    public const int MutantBasicSize = 8;
    public const int MutantBasicCount = 0;
    public const int MutantBasicAbandoned = 5;
    public const int MutantOwnerSize64 = 0x10;
    public const int MutantOwnerThreadId64 = 8;
    public const int MutantOwnerSize32 = 8;
    public const int MutantOwnerThreadId32 = 4;
    public const int MutantOwnerProcessId = 0;
    public const int EventBasicSize = 8;
    public const int EventBasicType = 0;
    public const int EventBasicState = 4;
    public const int SemaphoreBasicSize = 8;
    public const int SemaphoreBasicCount = 0;
    public const int SemaphoreBasicMaximum = 4;
    public const int ProcessBasicSize64 = 0x30;
    public const int ProcessBasicProcessId64 = 0x20;
    public const int ProcessBasicSize32 = 0x18;
    public const int ProcessBasicProcessId32 = 0x10;

    /// <summary>The extended record begins with its own size, which fills a pointer; the basic one follows.</summary>
    public const int ProcessExtendedSize64 = 0x40;
    public const int ProcessExtendedBasic64 = 8;
    public const int ProcessExtendedSize32 = 0x20;
    public const int ProcessExtendedBasic32 = 4;
}
