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
