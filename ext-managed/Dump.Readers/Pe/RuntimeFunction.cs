using System.Buffers.Binary;

namespace Dump.Readers.Pe;

/// <summary>
/// An entry of an exception directory (RUNTIME_FUNCTION of Microsoft's x64 exception handling documentation,
/// or an ARM64 entry): a range of code and its unwind information.
/// </summary>
/// <param name="Begin">Relative address of the first byte of code.</param>
/// <param name="End">Relative address just after the last byte of code.</param>
/// <param name="UnwindInfo">Relative address of the unwind information; of x64 images with bit 0 set, of another entry that describes the same code; of ARM64
/// images with any of bits 0 and 1 set, the packed unwind data themselves.</param>
public readonly record struct RuntimeFunction(uint Begin, uint End, uint UnwindInfo)
{
    /// <summary>True when the entry covers the relative address.</summary>
    public bool Contains(uint rva) => rva >= Begin && rva < End;

    internal static RuntimeFunction FromBytes(ReadOnlySpan<byte> bytes) => new(
        BinaryPrimitives.ReadUInt32LittleEndian(bytes),
        BinaryPrimitives.ReadUInt32LittleEndian(bytes[PeLayout.RuntimeFunctionEnd..]),
        BinaryPrimitives.ReadUInt32LittleEndian(bytes[PeLayout.RuntimeFunctionUnwindInfo..]));
}
