using System.Buffers.Binary;

namespace Dump.Readers.Xz;

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
