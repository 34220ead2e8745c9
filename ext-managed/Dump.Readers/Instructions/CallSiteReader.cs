using Dump.Readers.Registers;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Iced.Intel;

namespace Dump.Readers.Instructions;

/// <summary>
/// Recovers the register arguments of a call from the caller's instructions: argument registers are overwritten in the callee,
/// but the caller loads them from constants, addresses, nonvolatile registers or memory, whose values are still known.
/// Only the straight run of instructions before the call counts: a branch target or another call in between clears what is known.
/// </summary>
public static class CallSiteReader
{
    private const int MaximumCode = 0x8000;

    /// <summary>Reads the arguments of the call that a frame is in; unknown for architectures other than x64.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="caller">The calling frame: its instruction pointer is the return address, its nonvolatile registers are those of the call.</param>
    public static CallArguments Read(IMemory memory, in WalkedFrame caller)
    {
        return caller.Registers is X64Registers registers && UpToCall(memory, caller) is { } instructions
            ? Follow(memory, registers, instructions)
            : CallArguments.Unknown;
    }

    /// <summary>
    /// The instructions of the calling function from its beginning up to the call that the frame is in; null
    /// when they are not readable, are no x64 code, or do not end in a call.
    /// </summary>
    internal static List<Instruction>? UpToCall(IMemory memory, in WalkedFrame caller)
    {
        if (caller.Registers is not X64Registers registers || caller.FunctionStart is not { } start || registers.Rip <= start
            || registers.Rip - start > MaximumCode)
        {
            return null;
        }

        byte[] code = new byte[registers.Rip - start];
        if (!memory.TryRead(start, code))
        {
            return null;
        }

        List<Instruction> instructions = Decode(code, start);
        return instructions is [.., { FlowControl: FlowControl.Call or FlowControl.IndirectCall } last] && last.NextIP == registers.Rip ? instructions : null;
    }

    private static List<Instruction> Decode(byte[] code, ulong start)
    {
        Decoder decoder = Decoder.Create(64, code, start);
        List<Instruction> instructions = [];
        while (decoder.IP - start < (ulong)code.Length)
        {
            instructions.Add(decoder.Decode());
        }

        return instructions;
    }

    private static CallArguments Follow(IMemory memory, in X64Registers registers, List<Instruction> instructions)
    {
        Dictionary<Register, ulong> known = [];
        List<Instruction> run = LastStraightRun(instructions);
        Register[][] written = [.. Written(run)];
        Dictionary<Register, int> lastWrites = [];
        for (int i = 0; i < run.Count; i++)
        {
            foreach (Register register in written[i])
            {
                lastWrites[register] = i;
            }
        }

        for (int i = 0; i < run.Count; i++)
        {
            Track(memory, new Values(registers, known, lastWrites, i), run[i], written[i]);
        }

        return new CallArguments(Get(Register.RCX), Get(Register.RDX), Get(Register.R8), Get(Register.R9));

        ulong? Get(Register register) => known.TryGetValue(register, out ulong value) ? value : null;
    }

    /// <summary>The instructions before the final call that are always executed together with it.</summary>
    internal static List<Instruction> LastStraightRun(List<Instruction> instructions)
    {
        HashSet<ulong> targets = [.. instructions.Where(IsJump).Select(i => i.NearBranchTarget)];
        int start = instructions.Count - 1;
        while (start > 0 && instructions[start - 1].FlowControl is FlowControl.Next or FlowControl.ConditionalBranch
            && !targets.Contains(instructions[start].IP))
        {
            start--;
        }

        return instructions.GetRange(start, instructions.Count - 1 - start);
    }

    private static bool IsJump(Instruction instruction) =>
        instruction.FlowControl is FlowControl.ConditionalBranch or FlowControl.UnconditionalBranch && instruction.Op0Kind == OpKind.NearBranch64;

    /// <summary>
    /// The registers that each instruction writes or may write, also those that it does not name: a
    /// multiplication writes RDX, a string instruction RCX and RDI.
    /// </summary>
    private static IEnumerable<Register[]> Written(List<Instruction> run)
    {
        InstructionInfoFactory information = new();
        foreach (Instruction instruction in run)
        {
            yield return
            [
                .. information.GetInfo(instruction).GetUsedRegisters()
                    .Where(u => u.Access is OpAccess.Write or OpAccess.ReadWrite or OpAccess.CondWrite or OpAccess.ReadCondWrite)
                    .Select(u => u.Register.GetFullRegister()),
            ];
        }
    }

    private static void Track(IMemory memory, Values values, in Instruction instruction, Register[] written)
    {
        ulong? found = instruction is { OpCount: > 0, Op0Kind: OpKind.Register } ? Value(memory, values, instruction) : null;
        foreach (Register register in written)
        {
            values.Known.Remove(register);
        }

        if (found is { } value)
        {
            values.Known[instruction.Op0Register.GetFullRegister()] = instruction.Op0Register.GetSize() == sizeof(uint) ? (uint)value : value;
        }
    }

    private static ulong? Value(IMemory memory, Values values, in Instruction instruction) => instruction switch
    {
        { Mnemonic: Mnemonic.Xor, Op1Kind: OpKind.Register } i when i.Op0Register == i.Op1Register => 0,
        { Mnemonic: Mnemonic.Or, Op1Kind: OpKind.Immediate8to32 or OpKind.Immediate8to64 } i when i.GetImmediate(1) == ulong.MaxValue => ulong.MaxValue,
        { Mnemonic: Mnemonic.Mov, Op1Kind: OpKind.Register } i => values.Of(i.Op1Register),
        { Mnemonic: Mnemonic.Mov, Op1Kind: OpKind.Memory } i when Address(values, i) is { } at => i.MemorySize switch
        {
            MemorySize.UInt32 => memory.ReadUInt32(at),
            MemorySize.UInt64 => memory.ReadUInt64(at),
            _ => null,
        },
        { Mnemonic: Mnemonic.Mov, Op1Kind: OpKind.Immediate32 or OpKind.Immediate64 or OpKind.Immediate32to64 } i => i.GetImmediate(1),
        { Mnemonic: Mnemonic.Lea, Op1Kind: OpKind.Memory } i => Address(values, i),
        _ => null,
    };

    private static ulong? Address(Values values, in Instruction instruction)
    {
        if (instruction.IsIPRelativeMemoryOperand)
        {
            return instruction.IPRelativeMemoryAddress;
        }

        return instruction.MemoryIndex == Register.None && instruction.SegmentPrefix == Register.None
            && values.Of(instruction.MemoryBase) is { } address
                ? unchecked(address + instruction.MemoryDisplacement64)
                : null;
    }

    /// <summary>
    /// Register values at an instruction of the run: tracked ones, else those at the call for nonvolatile registers that are not written from there on.
    /// </summary>
    private readonly struct Values(X64Registers atCall, Dictionary<Register, ulong> known, Dictionary<Register, int> lastWrites, int index)
    {
        public Dictionary<Register, ulong> Known { get; } = known;

        public ulong? Of(Register register)
        {
            if (register == Register.None)
            {
                return null;
            }

            Register full = register.GetFullRegister();
            ulong? value = Known.TryGetValue(full, out ulong tracked) ? tracked : lastWrites.GetValueOrDefault(full, -1) >= index ? null : AtCall(full);
            return register.GetSize() == sizeof(uint) ? (uint?)value : value;
        }

        private ulong? AtCall(Register full) => full == Register.RSP ? atCall.Rsp : InstructionRegisters.Preserved(atCall, full);
    }
}

/// <summary>Arguments of a call as far as the caller's code shows them. A null argument is unknown.</summary>
/// <param name="First">RCX.</param>
/// <param name="Second">RDX.</param>
/// <param name="Third">R8.</param>
/// <param name="Fourth">R9.</param>
public sealed record CallArguments(ulong? First, ulong? Second, ulong? Third, ulong? Fourth)
{
    /// <summary>Nothing is known.</summary>
    public static CallArguments Unknown { get; } = new(null, null, null, null);
}
