using Dump.Readers.Registers;

namespace Dump.Readers.Minidump;

/// <summary>An entry of the ThreadList stream.</summary>
/// <param name="Index">Position in the list, 0-based.</param>
/// <param name="Id">Thread id.</param>
/// <param name="SuspendCount">Suspend count as recorded; writers differ, so that only a thread which stands out from the others says something.</param>
/// <param name="PriorityClass">Priority class.</param>
/// <param name="Priority">Priority.</param>
/// <param name="Teb">Address of the TEB; 0 when not recorded.</param>
/// <param name="StackStart">Lowest address of the saved stack memory; 0 when not recorded.</param>
/// <param name="StackSize">Bytes of saved stack memory.</param>
/// <param name="Context">Where the CONTEXT is, empty when there is none.</param>
/// <param name="ContextFlags">CONTEXT.ContextFlags, or null when there is no readable context of a known architecture.</param>
/// <param name="Registers">Registers of a context of an architecture whose stacks are walked, or null.</param>
/// <param name="InstructionPointer">Instruction pointer of a context of any known architecture, or null.</param>
/// <param name="StackPointer">Stack pointer of a context of any known architecture, or null.</param>
public sealed record MinidumpThread(
    int Index,
    uint Id,
    uint SuspendCount,
    uint PriorityClass,
    uint Priority,
    ulong Teb,
    ulong StackStart,
    uint StackSize,
    FileRange Context,
    uint? ContextFlags,
    IFrameRegisters? Registers,
    ulong? InstructionPointer,
    ulong? StackPointer);

/// <summary>An entry of the ThreadInfoList stream. Times are in units of 100 ns; absolute times count from 1601-01-01 UTC.</summary>
/// <param name="ThreadId">Thread id.</param>
/// <param name="DumpFlags">1 error, 2 writing thread, 4 exited, 8 invalid information, 0x10 invalid context, 0x20 invalid TEB.</param>
/// <param name="DumpError">Error that the writer met.</param>
/// <param name="ExitStatus">Exit status; 259 while running.</param>
/// <param name="CreateTime">Creation time; 0 when unknown.</param>
/// <param name="ExitTime">Exit time; 0 while running.</param>
/// <param name="KernelTime">Processor time in kernel mode.</param>
/// <param name="UserTime">Processor time in user mode.</param>
/// <param name="StartAddress">Start routine.</param>
/// <param name="Affinity">Processor affinity mask.</param>
public sealed record MinidumpThreadInfo(
    uint ThreadId,
    uint DumpFlags,
    uint DumpError,
    uint ExitStatus,
    ulong CreateTime,
    ulong ExitTime,
    ulong KernelTime,
    ulong UserTime,
    ulong StartAddress,
    ulong Affinity)
{
    private const uint Exited = 0x4;

    /// <summary>Whether the thread had ended when the dump was written.</summary>
    public bool HasExited => (DumpFlags & Exited) != 0;
}
