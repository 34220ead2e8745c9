using System.Buffers.Binary;
using Dump.Capture.Proc;
using Dump.Readers.ElfCore;

namespace Dump.Capture.Core;

/// <summary>Where everything stands in a core: headers and notes in front, then the memory of each mapping.</summary>
/// <param name="Head">ELF header, program headers and notes, up to the first segment.</param>
/// <param name="Segments">Memory segments by address, which is also their order in the file.</param>
/// <param name="Length">Length of the core in bytes.</param>
internal sealed record CoreImage(byte[] Head, IReadOnlyList<ElfSegment> Segments, long Length)
{
    private const int PageSize = 4096;

    /// <summary>Most segments: more would need the extended numbering of program headers.</summary>
    private const int MostSegments = 65_000;

    /// <summary>Lays out the core of a moment.</summary>
    public static CoreImage Of(CoreMoment moment)
    {
        MemoryMapping[] memory = [.. moment.Mappings.Where(m => m.IsOrdinaryMemory).OrderBy(m => m.Start).Take(MostSegments)];
        byte[] notes = new CoreNotes(moment).Write();
        long headers = ElfCoreLayout.HeaderSize + (memory.Length + 1L) * ElfCoreLayout.ProgramHeaderSize;
        long at = Align(headers + notes.Length);
        byte[] head = new byte[at];
        List<ElfSegment> segments = new(memory.Length);
        foreach (MemoryMapping mapping in memory)
        {
            long size = (long)(mapping.End - mapping.Start);
            segments.Add(new ElfSegment(mapping.Start, (ulong)size, at, size, mapping.Flags));
            at += size;
        }

        WriteHeader(head, segments.Count + 1);
        WriteSegment(head, 0, ElfCoreLayout.SegmentNote, new ElfSegment(0, 0, headers, notes.Length, 0));
        for (int i = 0; i < segments.Count; i++)
        {
            WriteSegment(head, i + 1, ElfCoreLayout.SegmentLoad, segments[i]);
        }

        notes.CopyTo(head, headers);
        return new CoreImage(head, segments, at);
    }

    /// <summary>Index of the segment that holds a position of the file behind the head, or -1.</summary>
    public int Find(long position)
    {
        int low = 0, high = Segments.Count - 1;
        while (low <= high)
        {
            int middle = low + (high - low) / 2;
            ElfSegment segment = Segments[middle];
            if (position >= segment.FileOffset && position - segment.FileOffset < segment.FileSize)
            {
                return middle;
            }

            (low, high) = position < segment.FileOffset ? (low, middle - 1) : (middle + 1, high);
        }

        return -1;
    }

    private static long Align(long offset) => (offset + PageSize - 1) & -PageSize;

    private static void WriteHeader(byte[] head, int segments)
    {
        ((byte[])[0x7F, (byte)'E', (byte)'L', (byte)'F', ElfCoreLayout.Class64, ElfCoreLayout.LittleEndian, ElfCoreLayout.Version]).CopyTo(head, 0);
        BinaryPrimitives.WriteUInt16LittleEndian(head.AsSpan(ElfCoreLayout.Type), ElfCoreLayout.TypeCore);
        BinaryPrimitives.WriteUInt16LittleEndian(head.AsSpan(ElfCoreLayout.Machine), LinuxMachine.OfThisProcess.Number);
        BinaryPrimitives.WriteUInt32LittleEndian(head.AsSpan(ElfCoreLayout.FileVersion), ElfCoreLayout.Version);
        BinaryPrimitives.WriteUInt64LittleEndian(head.AsSpan(ElfCoreLayout.ProgramHeaderOffset), ElfCoreLayout.HeaderSize);
        BinaryPrimitives.WriteUInt16LittleEndian(head.AsSpan(ElfCoreLayout.HeaderLength), ElfCoreLayout.HeaderSize);
        BinaryPrimitives.WriteUInt16LittleEndian(head.AsSpan(ElfCoreLayout.ProgramHeaderEntrySize), ElfCoreLayout.ProgramHeaderSize);
        BinaryPrimitives.WriteUInt16LittleEndian(head.AsSpan(ElfCoreLayout.ProgramHeaderCount), (ushort)segments);
    }

    private static void WriteSegment(byte[] head, int index, uint type, ElfSegment segment)
    {
        Span<byte> header = head.AsSpan(ElfCoreLayout.HeaderSize + index * ElfCoreLayout.ProgramHeaderSize, ElfCoreLayout.ProgramHeaderSize);
        BinaryPrimitives.WriteUInt32LittleEndian(header[ElfCoreLayout.SegmentType..], type);
        BinaryPrimitives.WriteUInt32LittleEndian(header[ElfCoreLayout.SegmentFlags..], segment.Flags);
        BinaryPrimitives.WriteInt64LittleEndian(header[ElfCoreLayout.SegmentFileOffset..], segment.FileOffset);
        BinaryPrimitives.WriteUInt64LittleEndian(header[ElfCoreLayout.SegmentAddress..], segment.Address);
        BinaryPrimitives.WriteInt64LittleEndian(header[ElfCoreLayout.SegmentFileSize..], segment.FileSize);
        BinaryPrimitives.WriteUInt64LittleEndian(header[ElfCoreLayout.SegmentMemorySize..], segment.MemorySize);
        BinaryPrimitives.WriteUInt64LittleEndian(header[ElfCoreLayout.SegmentAlignment..], type == ElfCoreLayout.SegmentLoad ? (ulong)PageSize : sizeof(uint));
    }
}
