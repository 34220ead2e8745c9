namespace Dump.Readers.Windows.Layouts;

/// <summary>Reads fields of structures. A field whose offset is not known is missing, as one is whose memory is not in the dump.</summary>
internal static class FieldExtensions
{
    /// <summary>Reads a byte, or returns null when it is missing.</summary>
    /// <param name="memory">The memory.</param>
    /// <param name="structure">Where the structure begins.</param>
    /// <param name="offset">The field's offset in it, or null when not known.</param>
    public static byte? ReadByte(this IMemory memory, ulong structure, int? offset) =>
        At(structure, offset) is { } address ? memory.ReadByte(address) : null;

    /// <summary>Reads a 16-bit value, or returns null when any byte is missing.</summary>
    /// <inheritdoc cref="ReadByte"/>
    public static ushort? ReadUInt16(this IMemory memory, ulong structure, int? offset) =>
        At(structure, offset) is { } address ? memory.ReadUInt16(address) : null;

    /// <summary>Reads a 32-bit value, or returns null when any byte is missing.</summary>
    /// <inheritdoc cref="ReadByte"/>
    public static uint? ReadUInt32(this IMemory memory, ulong structure, int? offset) =>
        At(structure, offset) is { } address ? memory.ReadUInt32(address) : null;

    /// <summary>Reads an address, or returns null when any byte is missing.</summary>
    /// <param name="memory">The memory.</param>
    /// <param name="structure">Where the structure begins.</param>
    /// <param name="offset">The field's offset in it, or null when not known.</param>
    /// <param name="pointerSize">Its size in bytes: 4 or 8.</param>
    public static ulong? ReadPointer(this IMemory memory, ulong structure, int? offset, int pointerSize) =>
        At(structure, offset) is { } address ? memory.ReadPointer(address, pointerSize) : null;

    private static ulong? At(ulong structure, int? offset) => unchecked(structure + (ulong?)offset);
}
