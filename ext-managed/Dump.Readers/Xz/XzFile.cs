using System.Buffers.Binary;

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

/// <summary>
/// Unpacks LZMA2: chunks, each with its sizes, stored or packed by LZMA ("The .xz File Format", 5.3.1; LZMA SDK, lzma-specification.txt; Linux lib/xz describes
/// the chunks). What is unpacked is the dictionary too.
/// </summary>
/// <param name="most">How many bytes all together may have unpacked.</param>
internal sealed class Lzma2Decoder(int most)
{
    private const byte End = 0;
    private const byte StoredAfterReset = 1;
    private const byte Stored = 2;
    private const byte Packed = 0x80;
    private const int StoredHeader = 3;
    private const int PackedHeader = 5;
    private const int LeastBuffer = 1 << 12;
    private readonly LzmaDecoder _lzma = new();
    private byte[] _output = new byte[LeastBuffer];
    private int _length;

    /// <summary>What was unpacked.</summary>
    public byte[] Output => _output[.._length];

    /// <summary>Unpacks the chunks up to the end of a block.</summary>
    /// <param name="bytes">They, and what follows.</param>
    /// <returns>How many bytes they have; null when they are damaged or have too many bytes unpacked.</returns>
    public int? Decode(ReadOnlySpan<byte> bytes)
    {
        // A block begins with an empty dictionary, and its first packed chunk says how it is packed.
        bool needsReset = true;
        _lzma.Forget();
        for (int at = 0; at < bytes.Length;)
        {
            byte control = bytes[at];
            if (control == End)
            {
                return at + 1;
            }

            ReadOnlySpan<byte> chunk = bytes[at..];
            bool resets = control is StoredAfterReset or >= 0xE0;
            if (needsReset && !resets)
            {
                return null;
            }

            needsReset = false;
            if (resets)
            {
                _lzma.ResetDictionary(_length);
            }

            if ((control < Packed ? Store(chunk, control) : Unpack(chunk, control)) is not { } taken)
            {
                return null;
            }

            at += taken;
        }

        return null;
    }

    private int? Store(ReadOnlySpan<byte> chunk, byte control)
    {
        if (control > Stored || chunk.Length < StoredHeader)
        {
            return null;
        }

        int size = BinaryPrimitives.ReadUInt16BigEndian(chunk[1..]) + 1;
        if (size > chunk.Length - StoredHeader || !HasRoom(size))
        {
            return null;
        }

        chunk.Slice(StoredHeader, size).CopyTo(_output.AsSpan(_length));
        _length += size;
        return StoredHeader + size;
    }

    private int? Unpack(ReadOnlySpan<byte> chunk, byte control)
    {
        int header = PackedHeader + (control >= 0xC0 ? 1 : 0);
        if (chunk.Length < header)
        {
            return null;
        }

        int size = ((control & 0x1F) << 16) + BinaryPrimitives.ReadUInt16BigEndian(chunk[1..]) + 1;
        int packed = BinaryPrimitives.ReadUInt16BigEndian(chunk[3..]) + 1;
        bool isReady = control >= 0xC0 ? _lzma.SetProperties(chunk[PackedHeader]) : control < 0xA0 || _lzma.ResetState();
        if (!isReady || packed > chunk.Length - header || !HasRoom(size)
            || !_lzma.Decode(chunk.Slice(header, packed), _output, _length, size))
        {
            return null;
        }

        _length += size;
        return header + packed;
    }

    private bool HasRoom(int size)
    {
        if (size > most - _length)
        {
            return false;
        }

        if (_length + size > _output.Length)
        {
            Array.Resize(ref _output, (int)Math.Min(most, Math.Max((long)_length + size, _output.Length * 2L)));
        }

        return true;
    }
}
