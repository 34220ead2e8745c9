using System.Buffers.Binary;
using System.Collections.Immutable;

namespace Dump.Readers.Pe;

/// <summary>Reads the callbacks of an image's TLS directory.</summary>
internal static class PeTlsDirectory
{
    /// <summary>
    /// Relative addresses of the callbacks. The table holds absolute addresses: relative to the load address in memory, to the preferred address in a file.
    /// </summary>
    public static ImmutableArray<uint> Read(PeImage image, PeHeaders headers, PeImageFile? file)
    {
        PeDirectory directory = headers.Directory(PeLayout.TlsDirectory);
        if (directory.Rva == 0 || directory.Size == 0)
        {
            return [];
        }

        ImmutableArray<uint> inMemory = ReadTable(image.ReadRva, directory.Rva, image.BaseAddress, image.Size, headers.Is64Bit);
        return inMemory.IsEmpty && file is not null
            ? ReadTable(file.ReadRva, directory.Rva, file.Headers.PreferredBase, image.Size, headers.Is64Bit)
            : inMemory;
    }

    private static ImmutableArray<uint> ReadTable(PeHeaders.ByteReader read, uint directory, ulong baseAddress, ulong size, bool is64Bit)
    {
        int offset = is64Bit ? PeLayout.TlsCallbacks64 : PeLayout.TlsCallbacks32;
        uint width = is64Bit ? sizeof(ulong) : (uint)sizeof(uint);
        ulong? table = directory > uint.MaxValue - (uint)offset ? null : ReadPointer(read, directory + (uint)offset, width);
        ImmutableArray<uint>.Builder result = ImmutableArray.CreateBuilder<uint>();
        for (uint i = 0; i < PeLayout.MaxTlsCallbacks && table >= baseAddress && table - baseAddress < size - Math.Min(size, i * width); i++)
        {
            ulong? callback = ReadPointer(read, (uint)(table.Value - baseAddress) + (i * width), width);
            if (callback is null or 0 || callback < baseAddress || callback - baseAddress >= size)
            {
                break;
            }

            result.Add((uint)(callback.Value - baseAddress));
        }

        return result.ToImmutable();
    }

    private static ulong? ReadPointer(PeHeaders.ByteReader read, uint rva, uint width)
    {
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        bytes.Clear();
        return read(rva, bytes[..(int)width]) ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : null;
    }
}
