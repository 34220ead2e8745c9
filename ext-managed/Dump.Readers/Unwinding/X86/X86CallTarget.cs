using Dump.Readers.Instructions;
using Iced.Intel;

namespace Dump.Readers.Unwinding.X86;

/// <summary>Finds the function that a call leads to, where the code shows it: directly, or through the import table and jumps of one instruction.</summary>
/// <param name="code">Decodes instructions.</param>
internal sealed class X86CallTarget(X86CodeReader code)
{
    private const int LongestCall = 7;
    private const int DirectCall = 5;
    private const int ImportCall = 6;
    private const int MaximumJumps = 4;

    /// <summary>True when a call instruction ends at the address, false when none does, null when the bytes before it cannot be read.</summary>
    public bool? IsBehindCall(uint address)
    {
        Span<byte> bytes = stackalloc byte[LongestCall];
        return address >= LongestCall && code.Read(address - LongestCall, bytes) == LongestCall ? CallInstruction.Ends(bytes) : null;
    }

    /// <summary>The function that the call before a return address leads to; null when there is no such call or its target is computed.</summary>
    public uint? OfCallBefore(uint returnAddress)
    {
        foreach (int size in (ReadOnlySpan<int>)[DirectCall, ImportCall])
        {
            if (returnAddress > size && code.TryDecode(returnAddress - (uint)size, out Instruction call)
                && call.NextIP == returnAddress && call.FlowControl is FlowControl.Call or FlowControl.IndirectCall && Of(call) is { } target)
            {
                return target;
            }
        }

        return null;
    }

    /// <summary>Where a call or a jump leads to; null when that is computed or not readable.</summary>
    public uint? Of(in Instruction branch)
    {
        if (Immediate(branch) is not { } target)
        {
            return null;
        }

        // Import stubs, incremental linking and forwarded functions are jumps of one instruction.
        for (int i = 0; i < MaximumJumps && code.TryDecode(target, out Instruction jump)
            && jump.FlowControl is FlowControl.UnconditionalBranch or FlowControl.IndirectBranch && Immediate(jump) is { } next; i++)
        {
            target = next;
        }

        return target;
    }

    private uint? Immediate(in Instruction branch) => branch switch
    {
        { Op0Kind: OpKind.NearBranch32 } => branch.NearBranch32,
        { Op0Kind: OpKind.Memory, MemoryBase: Register.None, MemoryIndex: Register.None, SegmentPrefix: Register.None } =>
            code.Memory.ReadUInt32(branch.MemoryDisplacement32) is { } slot and not 0 ? slot : null,
        _ => null,
    };
}
