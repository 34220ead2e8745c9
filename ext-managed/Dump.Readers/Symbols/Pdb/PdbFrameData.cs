using Dump.Readers.Unwinding.X86;

namespace Dump.Readers.Symbols.Pdb;

/// <summary>
/// The frame data of 32-bit code in a program database, by address. Programs stay in the file until they are asked for. Safe for concurrent use.
/// </summary>
internal sealed class PdbFrameData
{
    private const uint MaximumEntries = 2_000_000;
    private const int MaximumProgram = 512;

    // Entries of one function nest: one for each instruction of its prolog.
    private const int MaximumNesting = 64;
    private readonly Entry[] _entries;
    private readonly PdbStrings? _strings;

    private PdbFrameData(Entry[] entries, PdbStrings? strings)
    {
        _entries = entries;
        _strings = strings;
    }

    /// <summary>Number of entries.</summary>
    public int Count => _entries.Length;

    /// <summary>Reads the frame data; without any, or where they are damaged, the result is empty: functions' names do not depend on them.</summary>
    public static PdbFrameData Read(MsfFile file, DebugInformation information)
    {
        try
        {
            IEnumerable<Entry> entries = information.Frames is { Size: > 0 } frames ? New(frames) : [];
            IEnumerable<Entry> old = information.OldFrames is { Size: > 0 } oldFrames ? Old(oldFrames) : [];
            Entry[] sorted = [.. entries.Concat(old)];
            Array.Sort(sorted, static (x, y) => x.Begin != y.Begin ? x.Begin.CompareTo(y.Begin) : y.Size.CompareTo(x.Size));
            return new PdbFrameData(sorted, sorted.Length == 0 ? null : PdbStrings.Of(file));
        }
        catch (InvalidPdbException)
        {
            return new PdbFrameData([], null);
        }
    }

    /// <summary>
    /// The description of the code at a relative address, or null. Of several that cover it the last to begin
    /// says most, and one with a program more than one without.
    /// </summary>
    public FrameDescription? Find(uint rva)
    {
        FrameDescription? withoutProgram = null;
        for (int i = FirstAfter(rva) - 1, steps = 0; i >= 0 && steps < MaximumNesting; i--, steps++)
        {
            if (rva - _entries[i].Begin >= _entries[i].Size)
            {
                continue;
            }

            FrameDescription description = Describe(_entries[i]);
            if (description.Program is not null)
            {
                return description;
            }

            withoutProgram ??= description;
        }

        return withoutProgram;
    }

    private static IEnumerable<Entry> New(MsfStream stream)
    {
        // Object files have a relocated address before the entries, which a linker may leave.
        uint start = stream.Size % PdbLayout.FrameSize;
        foreach (uint at in Places(stream, start is 0 or sizeof(uint) ? start : throw new InvalidPdbException("its frame data are damaged"),
            PdbLayout.FrameSize))
        {
            yield return new Entry(
                stream.UInt32(at), stream.UInt32(at + PdbLayout.FrameCodeSize), stream.UInt32(at + PdbLayout.FrameLocals),
                stream.UInt32(at + PdbLayout.FrameParameters),
                stream.UInt16(at + PdbLayout.FrameRegisters), false, stream.UInt32(at + PdbLayout.FrameProgram));
        }
    }

    private static IEnumerable<Entry> Old(MsfStream stream)
    {
        foreach (uint at in Places(stream, 0, PdbLayout.OldFrameSize))
        {
            int bits = stream.UInt16(at + PdbLayout.OldFrameBits);
            yield return new Entry(
                stream.UInt32(at), stream.UInt32(at + PdbLayout.OldFrameCodeSize), unchecked(stream.UInt32(at + PdbLayout.OldFrameLocals) * sizeof(uint)),
                (uint)stream.UInt16(at + PdbLayout.OldFrameParameters) * sizeof(uint),
                (uint)((bits >> PdbLayout.OldFrameRegistersShift) & PdbLayout.OldFrameRegistersMask) * sizeof(uint),
                bits >> PdbLayout.OldFrameTypeShift == PdbLayout.OldFrameIsNoOmission, null);
        }
    }

    private static IEnumerable<uint> Places(MsfStream stream, uint start, uint size)
    {
        if (stream.Size / size > MaximumEntries)
        {
            throw new InvalidPdbException("it has more frame data than can be");
        }

        for (uint at = start; at <= stream.Size - Math.Min(size, stream.Size) && stream.Size >= size; at += size)
        {
            yield return at;
        }
    }

    private FrameDescription Describe(Entry entry) =>
        new(entry.Locals, entry.Parameters, entry.Registers, entry.UsesFramePointer, entry.Program is { } place ? _strings?.At(place, MaximumProgram) : null);

    private int FirstAfter(uint rva) => SortedSearch.CountUpTo<Entry>(_entries, rva, e => e.Begin);

    private readonly record struct Entry(uint Begin, uint Size, uint Locals, uint Parameters, uint Registers, bool UsesFramePointer, uint? Program);
}
