namespace Dump.Readers.Elf;

/// <summary>A row of a line number program: from an address on, up to that of the next row, code is of a line.</summary>
internal record struct LineRow(ulong Address, ulong File, uint Line, uint Column)
{
    /// <summary>What a sequence begins with (DWARF 5, table 6.4).</summary>
    public static LineRow First => new(0, 1, 1, 0);
}
