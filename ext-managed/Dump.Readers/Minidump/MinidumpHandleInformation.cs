using System.Buffers.Binary;
using Dump.Model.Process;

namespace Dump.Readers.Minidump;

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
