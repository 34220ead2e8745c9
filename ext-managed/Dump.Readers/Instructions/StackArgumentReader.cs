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
        foreach (Instruction instruction in CallSiteReader.LastStraightRun(instructions))
        {
            if (instruction is { Op0Kind: OpKind.Memory, MemoryBase: Register.RSP, MemoryIndex: Register.None }
                && instruction.MemoryDisplacement64 == FifthArgument)
            {
                found = instruction is { Mnemonic: Mnemonic.Mov, Op1Kind: OpKind.Immediate32 or OpKind.Immediate32to64 } ? instruction.GetImmediate(1) : null;
            }
        }

        return found;
    }
}
