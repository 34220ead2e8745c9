using Dump.Model.Process;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Iced.Intel;

namespace Dump.Readers.Instructions;

/// <summary>
/// Arguments of a call that a frame is in. Code of x64 passes the first four in registers, which the caller's instructions still show
/// (<see cref="CallSiteReader"/>); 32-bit code passes all of them on the stack, where they begin above the return address (Microsoft Learn, "__stdcall"). Those
/// places belong to the called function, which may have changed them: what stands there is to be checked, and never more than derived.
/// </summary>
public static class PassedArguments
{
    private const int FifthIndex = 4;

    /// <summary>
    /// The first four. Unknown in 32-bit code where the caller's frame is not proven; what the x64 code of a
    /// guessed caller shows is as much a guess as the caller.
    /// </summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="caller">The calling frame.</param>
    public static CallArguments Read(IMemory memory, in WalkedFrame caller) =>
        caller.Registers is { Architecture: ProcessorArchitecture.X86 }
            ? new CallArguments(OnStack(memory, caller, 0), OnStack(memory, caller, 1), OnStack(memory, caller, 2), OnStack(memory, caller, 3))
        : CallSiteReader.Read(memory, caller);

    /// <summary>The fifth, which both pass on the stack; of x64 only a constant that the caller stores there.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="caller">The calling frame.</param>
    public static ulong? Fifth(IMemory memory, in WalkedFrame caller) =>
        caller.Registers is { Architecture: ProcessorArchitecture.X86 } ? OnStack(memory, caller, FifthIndex)
        : StackArgumentReader.Fifth(memory, caller);

    /// <summary>Address of an argument that was passed on the stack; null in x64 code, where the caller's instructions show the arguments.</summary>
    /// <param name="caller">The calling frame.</param>
    /// <param name="index">Which argument, 0-based, at most 4.</param>
    public static ulong? AddressOf(in WalkedFrame caller, int index) =>
        caller.Registers is { Architecture: ProcessorArchitecture.X86 } ? caller.StackPointer + ((ulong)index * sizeof(uint)) : null;

    private static uint? OnStack(IMemory memory, in WalkedFrame caller, int index) =>
        caller.Trust > FrameTrust.FramePointer ? memory.ReadUInt32(caller.StackPointer + ((ulong)index * sizeof(uint))) : null;
}

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
