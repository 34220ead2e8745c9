using Dump.Readers.Unwinding.Dwarf;

namespace Dump.Readers.Elf;

/// <summary>A unit of compilation in <c>.debug_info</c>, by its header and the attributes of its first entry.</summary>
/// <param name="Offset">Where it begins in the section.</param>
/// <param name="Entries">Where its entries begin.</param>
/// <param name="End">Behind its last byte.</param>
/// <param name="Version">2 to 5.</param>
/// <param name="IsLong">True where offsets have 64 bits.</param>
/// <param name="Declarations">Where its declarations begin in <c>.debug_abbrev</c>.</param>
internal sealed record DebugUnit(int Offset, int Entries, int End, ushort Version, bool IsLong, int Declarations)
{
    /// <summary>Where its line number program begins; null when it has none.</summary>
    public ulong? Lines { get; init; }

    /// <summary>What ranges of its code are relative to.</summary>
    public DebugValue? Base { get; init; }

    /// <summary>Where its part of <c>.debug_str_offsets</c> begins.</summary>
    public ulong TextOffsets { get; init; }

    /// <summary>Where its part of <c>.debug_addr</c> begins.</summary>
    public ulong Addresses { get; init; }

    /// <summary>Where the offsets of its range lists begin in <c>.debug_rnglists</c>.</summary>
    public ulong RangeLists { get; init; }

    /// <summary>Reads the header of a unit.</summary>
    /// <param name="section">The section.</param>
    /// <param name="declarations">Length of <c>.debug_abbrev</c>.</param>
    /// <param name="offset">Where the unit begins.</param>
    /// <param name="next">Where the next one begins; the section's end where the length leads beyond it.</param>
    /// <returns>The unit; null for one of types, of another version or processor, and one that is not sound.</returns>
    public static DebugUnit? Read(byte[] section, int declarations, int offset, out int next)
    {
        next = section.Length;
        DwarfReader reader = new(section.AsSpan(offset), 0);
        uint first = reader.UInt32();
        bool isLong = first == LineLayout.Extended;
        ulong length = isLong ? reader.UInt64() : first;
        if (reader.IsBroken || length > (ulong)(section.Length - offset - reader.Position))
        {
            return null;
        }

        next = offset + reader.Position + (int)length;
        ushort version = reader.UInt16();
        byte kind = version >= UnitLayout.VersionWithTypes ? reader.Byte() : UnitLayout.CompileUnit;
        byte early = version >= UnitLayout.VersionWithTypes ? reader.Byte() : (byte)0;
        ulong table = UnitForms.Offset(ref reader, isLong);
        byte size = version >= UnitLayout.VersionWithTypes ? early : reader.Byte();
        bool isRead = version is >= UnitLayout.FirstVersion and <= UnitLayout.VersionWithTypes && kind is UnitLayout.CompileUnit or UnitLayout.PartialUnit;
        return reader.IsBroken || !isRead || size != sizeof(ulong) || table >= (ulong)declarations || offset + reader.Position > next ? null
            : new DebugUnit(offset, offset + reader.Position, next, version, isLong, (int)table);
    }
}
