using System.Buffers.Binary;

namespace Dump.Readers.Pe;

/// <summary>An entry of an ARM64 exception directory (Microsoft's "ARM64 exception handling" documentation).</summary>
/// <param name="Begin">Relative address of the first instruction.</param>
/// <param name="Data">Packed unwind data, or the relative address of a record.</param>
internal readonly record struct Arm64FunctionEntry(uint Begin, uint Data)
{
    /// <summary>Reads an entry, or returns null when any byte is missing.</summary>
    public static Arm64FunctionEntry? Read(IRvaReader image, uint rva)
    {
        Span<byte> bytes = stackalloc byte[Arm64FunctionLayout.EntrySize];
        return image.ReadRva(rva, bytes)
            ? new Arm64FunctionEntry(BinaryPrimitives.ReadUInt32LittleEndian(bytes),
                BinaryPrimitives.ReadUInt32LittleEndian(bytes[Arm64FunctionLayout.EntryData..]))
            : null;
    }

    /// <summary>
    /// The entry in the form that function tables of every architecture have: its end is read from the packed
    /// data or the record. Null when the record is not readable.
    /// </summary>
    public RuntimeFunction? ToFunction(IRvaReader image)
    {
        uint? instructions = (Data & Arm64FunctionLayout.FlagMask) == Arm64FunctionLayout.FlagRecord
            ? image.ReadUInt32(Data) & Arm64FunctionLayout.LengthMask
            : (Data >> Arm64FunctionLayout.PackedLengthShift) & Arm64FunctionLayout.PackedLengthMask;
        return instructions is { } length && Begin <= uint.MaxValue - length * Arm64FunctionLayout.InstructionSize
            ? new RuntimeFunction(Begin, Begin + length * Arm64FunctionLayout.InstructionSize, Data)
            : null;
    }
}
