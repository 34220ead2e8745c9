using System.Buffers.Binary;
using System.Collections.Concurrent;

namespace Dump.Readers.Unwinding.Dwarf;

/// <summary>The unwind information of one image, by the sorted table that leads into it (<c>.eh_frame_hdr</c>). Safe for concurrent use.</summary>
internal sealed class UnwindTable
{
    private const int PairSize = 8;
    private const uint MostEntries = 10_000_000;

    // Of the longest entries together 128 MiB.
    private const int MostKept = 2_048;
    private readonly IMemory _memory;
    private readonly ulong _table;
    private readonly ulong _pairs;
    private readonly uint _count;
    private readonly DwarfRegisters _registers;
    private readonly ConcurrentDictionary<uint, FrameDescription?> _read = new();

    private UnwindTable(IMemory memory, ulong table, ulong pairs, uint count, DwarfRegisters registers) =>
        (_memory, _table, _pairs, _count, _registers) = (memory, table, pairs, count, registers);

    /// <summary>Reads the head of a table; null when there is none, or it is of another form than linkers write.</summary>
    /// <param name="memory">Memory of the image.</param>
    /// <param name="address">Where the table is, or null.</param>
    /// <param name="registers">How the image's registers are numbered; null for those of a machine that is not read.</param>
    public static UnwindTable? Read(IMemory memory, ulong? address, DwarfRegisters? registers)
    {
        byte[] head = new byte[24];
        if (registers is null || address is not { } table || memory.Read(table, head) is var length && length < DwarfLayout.TableHeaderSize || head[0] != DwarfLayout.TableVersion)
        {
            return null;
        }

        DwarfReader reader = new(head.AsSpan(0, length), table);
        reader.Byte();
        byte frames = reader.Byte(), counts = reader.Byte(), pairs = reader.Byte();
        return reader.Pointer(frames, table) is not null && reader.Pointer(counts, table) is { } count && count is > 0 and < MostEntries
            && pairs == DwarfLayout.SearchTable
            ? new UnwindTable(memory, table, reader.Address, (uint)count, registers)
            : null;
    }

    /// <summary>How to unwind a frame of the function that contains an address; null when no entry does.</summary>
    public FrameDescription? Find(ulong address)
    {
        uint low = 0, high = _count;
        while (low < high)
        {
            uint middle = low + (high - low) / 2;
            if (Pair(middle) is not { } pair)
            {
                return null;
            }

            if (pair.Begin <= address)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }

        return low > 0 && Description(low - 1) is { } found && address >= found.Begin && address < found.End ? found : null;
    }

    private FrameDescription? Description(uint index)
    {
        if (_read.TryGetValue(index, out FrameDescription? known))
        {
            return known;
        }

        FrameDescription? read = Pair(index) is { } pair ? FrameDescription.Read(_memory, pair.Entry, _registers) : null;
        if (_read.Count < MostKept)
        {
            _read[index] = read;
        }

        return read;
    }

    private (ulong Begin, ulong Entry)? Pair(uint index)
    {
        Span<byte> pair = stackalloc byte[PairSize];
        return _memory.TryRead(_pairs + index * (ulong)PairSize, pair)
            ? (Distance(pair), Distance(pair[sizeof(int)..]))
            : null;
    }

    private ulong Distance(ReadOnlySpan<byte> bytes) => unchecked(_table + (ulong)BinaryPrimitives.ReadInt32LittleEndian(bytes));
}
