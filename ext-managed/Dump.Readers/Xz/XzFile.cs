namespace Dump.Readers.Xz;

/// <summary>
/// Unpacks files of the program <c>xz</c> ("The .xz File Format", 1.2.1): blocks of LZMA2, as ELF files have a symbol table inside (<c>.gnu_debugdata</c>).
/// Nothing is allocated by what a header claims; sums of the content are not checked, since who changes the content can change them.
/// </summary>
internal static class XzFile
{
    private const int HeaderSize = 12;
    private const int CheckSizeMask = 0x0F;
    private const int FilterMask = 0x03;
    private const int HasPackedSize = 0x40;
    private const int HasUnpackedSize = 0x80;
    private const int Lzma2 = 0x21;
    private const int MostNumberBytes = 9;

    /// <summary>The content of a file.</summary>
    /// <param name="bytes">The file.</param>
    /// <param name="most">How many bytes it may have unpacked.</param>
    /// <returns>The content; null when it is damaged, packed in another way or longer than that.</returns>
    public static byte[]? Unpack(ReadOnlySpan<byte> bytes, int most)
    {
        ReadOnlySpan<byte> magic = [0xFD, (byte)'7', (byte)'z', (byte)'X', (byte)'Z', 0];
        if (bytes.Length < HeaderSize || !bytes.StartsWith(magic) || bytes[6] != 0 || bytes[7] > CheckSizeMask)
        {
            return null;
        }

        // The sizes of the sums by their kind.
        ReadOnlySpan<byte> checks = [0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64];
        Lzma2Decoder decoder = new(most);
        int at = HeaderSize;
        while (at < bytes.Length && bytes[at] != 0)
        {
            int header = (bytes[at] + 1) * sizeof(uint);
            if (header > bytes.Length - at || !IsOnlyLzma2(bytes.Slice(at, header)) || decoder.Decode(bytes[(at + header)..]) is not { } packed)
            {
                return null;
            }

            at += header + ((packed + sizeof(uint) - 1) & ~(sizeof(uint) - 1)) + checks[bytes[7]];
        }

        // Behind the last block stands the index, which begins with a zero; a file without it was cut.
        return at < bytes.Length ? decoder.Output : null;
    }

    private static bool IsOnlyLzma2(ReadOnlySpan<byte> header)
    {
        byte flags = header[1];
        int at = 2;
        bool isSound = (flags & FilterMask) == 0
            && ((flags & HasPackedSize) == 0 || Number(header, ref at) is not null)
            && ((flags & HasUnpackedSize) == 0 || Number(header, ref at) is not null);
        return isSound && Number(header, ref at) == Lzma2 && Number(header, ref at) == 1;
    }

    /// <summary>A number of seven bits a byte, the lowest first.</summary>
    private static ulong? Number(ReadOnlySpan<byte> bytes, ref int at)
    {
        ulong value = 0;
        for (int i = 0; i < MostNumberBytes && at < bytes.Length; i++)
        {
            byte next = bytes[at++];
            value |= (ulong)(next & 0x7F) << (7 * i);
            if ((next & 0x80) == 0)
            {
                return value;
            }
        }

        return null;
    }
}
