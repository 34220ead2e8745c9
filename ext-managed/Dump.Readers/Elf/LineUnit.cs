using Dump.Readers.Unwinding.Dwarf;

namespace Dump.Readers.Elf;

/// <summary>The line number program of one unit of compilation, by its header.</summary>
/// <param name="Offset">Where the unit begins in the section.</param>
/// <param name="Version">2 to 5.</param>
/// <param name="IsLong">True where offsets have 64 bits.</param>
/// <param name="Tables">Where the tables of directories and files begin.</param>
/// <param name="Program">Where the program begins.</param>
/// <param name="End">Behind its last byte.</param>
/// <param name="Least">What advances of the address are multiplied by.</param>
/// <param name="LineBase">The least advance of the line by a special instruction.</param>
/// <param name="LineRange">How many different advances of the line there are; never 0.</param>
/// <param name="Operands">Of each standard instruction, from the first one on, how many operands it has.</param>
internal sealed record LineUnit(
    int Offset, ushort Version, bool IsLong, int Tables, int Program, int End, byte Least, sbyte LineBase, byte LineRange, byte[] Operands)
{
    private const int LengthSize = 4;
    private const int LongLengthSize = 12;

    /// <summary>Reads the header of a unit.</summary>
    /// <param name="section">The section.</param>
    /// <param name="offset">Where the unit begins.</param>
    /// <param name="next">Where the next one begins, or the section's end: a length that leads beyond it ends the section.</param>
    /// <returns>The unit; null when it is of another version or is not sound.</returns>
    public static LineUnit? Read(byte[] section, int offset, out int next)
    {
        next = section.Length;
        DwarfReader reader = new(section.AsSpan(offset), 0);
        uint first = reader.UInt32();
        bool isLong = first == LineLayout.Extended;
        ulong length = isLong ? reader.UInt64() : first;
        int lengthSize = isLong ? LongLengthSize : LengthSize;
        if (reader.IsBroken || length > (ulong)(section.Length - offset - lengthSize))
        {
            return null;
        }

        next = offset + lengthSize + (int)length;
        reader = new DwarfReader(section.AsSpan(offset, next - offset), 0);
        reader.Take(lengthSize);
        ushort version = reader.UInt16();
        bool isKnown = version is >= LineLayout.FirstVersion and <= LineLayout.VersionWithFormats;
        if (!isKnown || (version >= LineLayout.VersionWithFormats && reader.UInt16() != LineLayout.FlatAddresses))
        {
            return null;
        }

        ulong headerLength = isLong ? reader.UInt64() : reader.UInt32();
        int counted = reader.Position;
        byte least = reader.Byte();

        // Of processors whose instructions hold several operations, which x86 is not.
        byte operations = version >= LineLayout.VersionWithOperations ? reader.Byte() : (byte)1;
        reader.Byte();
        sbyte lineBase = (sbyte)reader.Byte();
        byte range = reader.Byte(), codes = reader.Byte();
        byte[] operands = reader.Take(Math.Max(codes - 1, 0)).ToArray();
        return reader.IsBroken || operations != 1 || range == 0 || codes == 0 || headerLength > (ulong)(next - offset - counted) ? null
            : new LineUnit(offset, version, isLong, offset + reader.Position, offset + counted + (int)headerLength, next, least, lineBase, range, operands);
    }
}
