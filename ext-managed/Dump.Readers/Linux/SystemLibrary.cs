using System.Buffers.Binary;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;

namespace Dump.Readers.Linux;

/// <summary>The library that the kernel maps into each process, for calls that need no system call (vdso(7)): the clock, mostly. No file holds it.</summary>
public static class SystemLibrary
{
    /// <summary>Its name, as <c>ldd</c> lists it.</summary>
    public const string Name = "linux-vdso.so.1";

    /// <summary>What <c>/proc/PID/maps</c> has in place of a path; it begins with no slash, so that it is never taken for a file.</summary>
    public const string Path = "[vdso]";

    // It has two pages on x86-64.
    private const ulong MostBytes = 1 << 16;
    private const int MostSegments = 16;

    /// <summary>Where it lies, or null where its memory is not there.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="address">Its first byte, from the auxiliary vector; null when not known.</param>
    internal static ElfMappedFile? Find(IMemory? memory, ulong? address)
    {
        Span<byte> head = stackalloc byte[ElfImageLayout.HeaderSize];
        if (address is not (> 0 and var start) || start > ulong.MaxValue - MostBytes || memory?.TryRead(start, head) != true || !head.StartsWith("\u007fELF"u8))
        {
            return null;
        }

        ulong table = unchecked(start + BinaryPrimitives.ReadUInt64LittleEndian(head[ElfImageLayout.ProgramHeaderOffset..]));
        int count = Math.Min((int)BinaryPrimitives.ReadUInt16LittleEndian(head[ElfImageLayout.ProgramHeaderCount..]), MostSegments);
        for (int i = 0; i < count; i++)
        {
            ulong segment = unchecked(table + (ulong)(i * ElfImageLayout.ProgramHeaderSize));
            if (memory.ReadUInt32(segment) == ElfImageLayout.SegmentLoad
                && memory.ReadUInt64(segment + ElfImageLayout.SegmentMemorySize) is { } size and > 0 and <= MostBytes)
            {
                return new ElfMappedFile(start, start + size, 0, Path);
            }
        }

        return null;
    }
}
