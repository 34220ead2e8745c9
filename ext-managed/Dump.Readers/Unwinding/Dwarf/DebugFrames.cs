namespace Dump.Readers.Unwinding.Dwarf;

/// <summary>
/// Call-frame information for debuggers (<c>.debug_frame</c>), which is all there is where code was compiled without tables for exceptions
/// (<c>-fno-asynchronous-unwind-tables -g</c>). No table leads into it: its entries are listed once. Safe for concurrent use.
/// </summary>
internal sealed class DebugFrames
{
    private const int MostEntries = 4_000_000;
    private const long NanosecondsOfEntry = 500;

    // In lists that grow, and what sorting takes.
    private const long BytesOfEntry = 24 * 5;
    private readonly byte[] _section;
    private readonly ulong _bias;
    private readonly DwarfRegisters _registers;
    private readonly (ulong Begin, ulong End, int Entry)[] _entries;

    private DebugFrames(byte[] section, ulong bias, DwarfRegisters registers, (ulong Begin, ulong End, int Entry)[] entries) =>
        (_section, _bias, _registers, _entries) = (section, bias, registers, entries);

    /// <summary>Number of functions that are described.</summary>
    public int Count => _entries.Length;

    /// <summary>Lists the entries of a section; one that is not sound ends the list.</summary>
    /// <param name="section">The section.</param>
    /// <param name="bias">What is added to an address of the file to have that of the process.</param>
    /// <param name="registers">How its registers are numbered.</param>
    public static DebugFrames Read(byte[] section, ulong bias, DwarfRegisters registers)
    {
        List<(ulong Begin, ulong End, int Entry)> entries = [];
        for (int at = 0; entries.Count < MostEntries && DebugFrameEntry.Read(section, at) is { } entry; at = entry.Next)
        {
            // Code that the linker left out is at 0.
            if (entry.Common is not null && entry is { Begin: > 0, Size: > 0 })
            {
                if (!WorkBudget.Take(NanosecondsOfEntry) || !WorkBudget.Hold(BytesOfEntry))
                {
                    break;
                }

                entries.Add((unchecked(bias + entry.Begin), unchecked(bias + entry.Begin + entry.Size), at));
            }
        }

        return new DebugFrames(section, bias, registers, [.. entries.OrderBy(e => e.Begin)]);
    }

    /// <summary>How to unwind a frame of the function that contains an address; null when no entry does.</summary>
    public FrameDescription? Find(ulong address)
    {
        int before = SortedSearch.CountUpTo<(ulong Begin, ulong End, int Entry)>(_entries, address, e => e.Begin);
        return before > 0 && address < _entries[before - 1].End ? DebugFrameEntry.Description(_section, _entries[before - 1].Entry, _bias, _registers) : null;
    }
}

/// <summary>An entry of <c>.debug_frame</c> (DWARF 5, 6.4.1): what several functions share, or that of one.</summary>
/// <param name="Next">Where the next entry begins.</param>
/// <param name="Common">For that of a function, where the entry is that it shares; null for one that is shared.</param>
/// <param name="Begin">Address of the function, as the file counts.</param>
/// <param name="Size">How many bytes it has.</param>
/// <param name="Content">Where the rest of the entry begins.</param>
internal readonly record struct DebugFrameEntry(int Next, int? Common, ulong Begin, ulong Size, int Content)
{
    private const uint SharedId = 0xFFFF_FFFF;
    private const uint Extended = 0xFFFF_FFFF;

    // As for those that are loaded: longer ones have not been seen.
    private const uint Longest = 1 << 15;
    private const byte VersionWithSizes = 4;

    /// <summary>Reads the entry at a place; null at the end, and where it is not sound. Those of 64-bit offsets are not read: nothing writes them by itself.
    /// </summary>
    public static DebugFrameEntry? Read(byte[] section, int offset)
    {
        DwarfReader reader = new(section.AsSpan(offset), 0);
        uint length = reader.UInt32();
        if (reader.IsBroken || length == Extended || length > section.Length - offset - reader.Position || length < sizeof(uint))
        {
            return null;
        }

        int next = offset + reader.Position + (int)length;
        reader = new DwarfReader(section.AsSpan(offset, next - offset), 0);
        reader.UInt32();
        uint common = reader.UInt32();
        if (common == SharedId)
        {
            return new DebugFrameEntry(next, null, 0, 0, offset + reader.Position);
        }

        ulong begin = reader.UInt64(), size = reader.UInt64();
        return reader.IsBroken || common > int.MaxValue ? null : new DebugFrameEntry(next, (int)common, begin, size, offset + reader.Position);
    }

    /// <summary>What the entry of a function says, with what it shares; null where that is not sound.</summary>
    /// <param name="section">The section.</param>
    /// <param name="offset">Where the entry begins.</param>
    /// <param name="bias">What is added to an address of the file to have that of the process.</param>
    /// <param name="registers">How its registers are numbered.</param>
    public static FrameDescription? Description(byte[] section, int offset, ulong bias, DwarfRegisters registers)
    {
        if (Read(section, offset) is not { Common: { } shared } own || own.Next - own.Content > Longest
            || shared >= section.Length || Read(section, shared) is not { Common: null } common || common.Next - common.Content > Longest)
        {
            return null;
        }

        DwarfReader reader = new(section.AsSpan(common.Content, common.Next - common.Content), 0);
        byte version = reader.Byte();
        ReadOnlySpan<byte> augmentation = reader.Text();
        if (version is not (1 or 3 or VersionWithSizes) || augmentation.Length > 0
            || (version == VersionWithSizes && reader.UInt16() != sizeof(ulong)))
        {
            return null;
        }

        ulong code = reader.Unsigned();
        long data = reader.Signed();
        ulong returns = version == 1 ? reader.Byte() : reader.Unsigned();
        byte[] instructions = reader.Take(common.Next - common.Content - reader.Position).ToArray();
        return reader.IsBroken || returns != (ulong)registers.ReturnAddress ? null
            : new FrameDescription(unchecked(bias + own.Begin), unchecked(bias + own.Begin + own.Size), code, data, false, instructions,
                section.AsSpan(own.Content, own.Next - own.Content).ToArray(), 0)
            {
                // An instruction that sets the location has an address of the file, which compilers do not write.
                Encoding = DwarfLayout.Omitted,
                Registers = registers,
            };
    }
}
