using Dump.Readers.Instructions;
using Dump.Readers.Registers;
using Iced.Intel;

namespace Dump.Readers.Unwinding.X64;

/// <summary>Recognises that an innermost frame stands in an epilog, whose effects the unwind codes do not describe, and carries out its rest.</summary>
internal static class EpilogDecoder
{
    private const int MaximumEpilog = 64;

    /// <summary>
    /// Carries out the rest of the epilog when the instructions from here on are one: an optional stack
    /// adjustment, pops of registers, and a return or a jump out of the function.
    /// </summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="registers">Registers of the frame; those at the return instruction afterwards.</param>
    /// <param name="begin">First address of the function's code range.</param>
    /// <param name="end">Address just after it.</param>
    /// <param name="frameRegister">The function's frame register, or RAX when it has none.</param>
    /// <returns>True when it was an epilog; the registers are unchanged otherwise.</returns>
    public static bool TryFinish(IMemory memory, ref X64Registers registers, ulong begin, ulong end, X64Register frameRegister)
    {
        byte[] code = new byte[MaximumEpilog];
        int length = memory.Read(registers.Rip, code);
        Decoder decoder = Decoder.Create(64, new ByteArrayCodeReader(code, 0, length), registers.Rip);
        X64Registers state = registers;
        for (bool first = true; decoder.IP - registers.Rip < (ulong)length; first = false)
        {
            Instruction instruction = decoder.Decode();
            if (instruction.Mnemonic == Mnemonic.Ret)
            {
                registers = state;
                return true;
            }

            if (IsJumpOut(instruction, begin, end))
            {
                // A function that is split into parts jumps between them with its frame still in place. Only a jump
                // that leaves for good has a return address on top of the stack.
                bool leaves = memory.ReadUInt64(state.Rsp) is { } address && CallInstruction.Precedes(memory, address) == true;
                registers = leaves ? state : registers;
                return leaves;
            }

            if (!(first && Adjust(instruction, frameRegister, ref state)) && !Pop(memory, instruction, ref state))
            {
                return false;
            }
        }

        return false;
    }

    private static bool IsJumpOut(in Instruction instruction, ulong begin, ulong end) => instruction.FlowControl switch
    {
        FlowControl.UnconditionalBranch => instruction.NearBranchTarget < begin || instruction.NearBranchTarget >= end,
        FlowControl.IndirectBranch => instruction.Op0Kind == OpKind.Memory && instruction.IsIPRelativeMemoryOperand,
        _ => false,
    };

    private static bool Adjust(in Instruction instruction, X64Register frameRegister, ref X64Registers state)
    {
        if (instruction.Mnemonic == Mnemonic.Add && instruction.Op0Register == Register.RSP && instruction.Op1Kind != OpKind.Register
            && instruction.Op1Kind != OpKind.Memory)
        {
            state.Rsp = unchecked(state.Rsp + instruction.GetImmediate(1));
            return true;
        }

        if (instruction.Mnemonic == Mnemonic.Lea && instruction.Op0Register == Register.RSP && frameRegister != X64Register.Rax
            && InstructionRegisters.Number(instruction.MemoryBase) == frameRegister && instruction.MemoryIndex == Register.None)
        {
            state.Rsp = unchecked(state[frameRegister] + instruction.MemoryDisplacement64);
            return true;
        }

        return false;
    }

    private static bool Pop(IMemory memory, in Instruction instruction, ref X64Registers state)
    {
        if (instruction.Mnemonic != Mnemonic.Pop || InstructionRegisters.Number(instruction.Op0Register) is not { } register
            || memory.ReadUInt64(state.Rsp) is not { } value)
        {
            return false;
        }

        state[register] = value;
        state.Rsp += sizeof(ulong);
        return true;
    }
}
