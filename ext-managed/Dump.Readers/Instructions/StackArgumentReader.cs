using Dump.Readers.Unwinding.Frames;
using Iced.Intel;

namespace Dump.Readers.Instructions;

/// <summary>
/// Recovers the fifth argument of a call, which lies on the stack, as far as the caller's code writes a
/// constant there: the place itself belongs to the callee, which may have changed it.
/// </summary>
public static class StackArgumentReader
{
    // Behind the home slots of the four register arguments (Microsoft Learn, "x64 calling convention").
    private const ulong FifthArgument = 0x20;

    /// <summary>
    /// The constant that the caller stores for the fifth argument right before its call; null when it stores
    /// something else, or nothing in the straight run of instructions before the call.
    /// </summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="caller">The calling frame.</param>
    public static ulong? Fifth(IMemory memory, in WalkedFrame caller)
    {
        if (CallSiteReader.UpToCall(memory, caller) is not { } instructions)
        {
            return null;
        }

        ulong? found = null;
        HashSet<Register> zeros = [];
        foreach (Instruction instruction in CallSiteReader.LastStraightRun(instructions))
        {
            if (instruction is { Op0Kind: OpKind.Memory, MemoryBase: Register.RSP, MemoryIndex: Register.None }
                && instruction.MemoryDisplacement64 == FifthArgument)
            {
                found = Stored(instruction, zeros);
            }
            else if (instruction is { Op0Kind: OpKind.Register })
            {
                bool isZero = instruction is { Mnemonic: Mnemonic.Xor or Mnemonic.Sub, Op1Kind: OpKind.Register }
                    && instruction.Op0Register == instruction.Op1Register;
                _ = isZero ? zeros.Add(instruction.Op0Register.GetFullRegister()) : zeros.Remove(instruction.Op0Register.GetFullRegister());
            }
        }

        return found;
    }

    /// <summary>What an instruction that writes the place leaves there: a constant, also zero by masking or from a register that was cleared before.</summary>
    private static ulong? Stored(in Instruction instruction, HashSet<Register> zeros) => instruction switch
    {
        { Mnemonic: Mnemonic.Mov, Op1Kind: OpKind.Immediate32 or OpKind.Immediate32to64 } => instruction.GetImmediate(1),
        { Mnemonic: Mnemonic.And, Op1Kind: OpKind.Immediate8to32 or OpKind.Immediate8to64 } when instruction.GetImmediate(1) == 0 => 0,
        { Mnemonic: Mnemonic.Mov, Op1Kind: OpKind.Register } when zeros.Contains(instruction.Op1Register.GetFullRegister()) => 0,
        _ => null,
    };
}
