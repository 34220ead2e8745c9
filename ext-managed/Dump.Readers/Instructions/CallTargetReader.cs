using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Iced.Intel;

namespace Dump.Readers.Instructions;

/// <summary>
/// Finds where a call leads, by the caller's instruction: what a function is called by is known even where
/// the frame that it left has no name, because it went on with a jump into another function.
/// </summary>
public static class CallTargetReader
{
    private const int ImportJumpSize = 6;
    private const int NearCallSize = 5;
    private const int IndirectCallSize = 6;

    /// <summary>The address that the caller's call instruction leads to; a jump through the import table in between is followed once.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="caller">The calling frame: its instruction pointer is the return address, its nonvolatile registers are those of the call.</param>
    /// <returns>The address, or null when the code is not readable or its target depends on a register that the callee may have changed.</returns>
    public static ulong? Read(IMemory memory, in WalkedFrame caller)
    {
        if (caller.Registers is not X64Registers registers || CallSiteReader.UpToCall(memory, caller) is not { } instructions)
        {
            return null;
        }

        Instruction call = instructions[^1];
        ulong? target = call.Op0Kind switch
        {
            OpKind.NearBranch64 => call.NearBranchTarget,
            OpKind.Memory when call.IsIPRelativeMemoryOperand => memory.ReadUInt64(call.IPRelativeMemoryAddress),
            OpKind.Memory when call.MemoryIndex == Register.None && call.SegmentPrefix == Register.None
                && InstructionRegisters.Preserved(registers, call.MemoryBase) is { } at =>
                memory.ReadUInt64(unchecked(at + call.MemoryDisplacement64)),
            OpKind.Register => InstructionRegisters.Preserved(registers, call.Op0Register),
            _ => null,
        };
        return target is { } first ? BehindImportJump(memory, first) ?? first : null;
    }

    /// <summary>
    /// The address that the call before a return address leads to, by the bytes before it alone: directly, or through a pointer that the code refers to
    /// relative to itself. For code whose frame was not walked by registers.
    /// </summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="returnAddress">Where the call returns to, in x64 code.</param>
    /// <returns>The address, or null when no such call ends there, or code or pointer is not readable.</returns>
    public static ulong? Before(IMemory memory, ulong returnAddress)
    {
        byte[] code = new byte[IndirectCallSize];
        ulong start = unchecked(returnAddress - IndirectCallSize);
        if (!memory.TryRead(start, code))
        {
            return null;
        }

        Instruction near = Decoder.Create(64, code[^NearCallSize..], unchecked(returnAddress - NearCallSize)).Decode();
        Instruction indirect = Decoder.Create(64, code, start).Decode();
        return near.IsCallNear && near.NextIP == returnAddress ? near.NearBranchTarget
            : indirect.IsCallNearIndirect && indirect.IsIPRelativeMemoryOperand && indirect.NextIP == returnAddress
                ? memory.ReadUInt64(indirect.IPRelativeMemoryAddress)
            : null;
    }

    /// <summary>Where a jump through a pointer in memory leads when that is all that stands at an address.</summary>
    private static ulong? BehindImportJump(IMemory memory, ulong address)
    {
        byte[] code = new byte[ImportJumpSize];
        if (!memory.TryRead(address, code))
        {
            return null;
        }

        Instruction jump = Decoder.Create(64, code, address).Decode();
        return jump is { FlowControl: FlowControl.IndirectBranch, IsIPRelativeMemoryOperand: true } ? memory.ReadUInt64(jump.IPRelativeMemoryAddress) : null;
    }
}
