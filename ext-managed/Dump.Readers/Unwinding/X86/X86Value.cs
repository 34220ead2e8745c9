using Dump.Readers.Registers;

namespace Dump.Readers.Unwinding.X86;

/// <summary>
/// What a register holds at some point of a function, in terms of what the registers held where the frame stands: a register's value, or what stands in memory
/// at a distance from it, plus a constant. The default is "unknown".
/// </summary>
/// <param name="IsKnown">False when nothing is known.</param>
/// <param name="Base">The register.</param>
/// <param name="Through">Distance from the register to the memory that is read, or null when the register's value itself counts.</param>
/// <param name="Offset">What is added.</param>
internal readonly record struct X86Value(bool IsKnown, X86Register Base, int? Through, int Offset)
{
    private const int Farthest = 0x1000_0000;

    /// <summary>The value that a register has where the frame stands.</summary>
    public static X86Value Of(X86Register register) => new(true, register, null, 0);

    /// <summary>The value and a constant; unknown when that is too large to be a distance on a stack.</summary>
    public X86Value Plus(int bytes) => IsKnown && Math.Abs((long)Offset + bytes) < Farthest ? this with { Offset = Offset + bytes } : default;

    /// <summary>
    /// What stands at this address. Unknown below the frame's own stack pointer, where nothing stands yet:
    /// the function will write it before it reads it. Unknown too behind a second pointer.
    /// </summary>
    public X86Value Content => IsKnown && Through is null && !(Base == X86Register.Esp && Offset < 0) ? new(true, Base, Offset, 0) : default;

    /// <summary>The value in a frame, or null when a register or memory that it depends on is unknown, or it is no 32-bit value.</summary>
    public uint? In(in X86Registers frame, IMemory memory)
    {
        long? start = IsKnown ? frame[Base] : null;
        if (start is { } from && Through is { } distance)
        {
            start = from + distance is >= 0 and <= uint.MaxValue and var place ? memory.ReadUInt32((ulong)place) : null;
        }

        return start + Offset is >= 0 and <= uint.MaxValue and var value ? (uint)value : null;
    }
}
