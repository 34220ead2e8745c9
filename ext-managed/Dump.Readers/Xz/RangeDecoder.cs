using System.Buffers.Binary;

namespace Dump.Readers.Xz;

/// <summary>Bits by their probabilities, as LZMA packs them (LZMA SDK, lzma-specification.txt, "Range Decoder"). Behind the end all bytes are zero.</summary>
internal ref struct RangeDecoder
{
    private const int ProbabilityBits = 11;
    private const int AdaptionShift = 5;
    private const uint LeastRange = 1 << 24;
    private const int HeadSize = 5;
    private readonly ReadOnlySpan<byte> _bytes;
    private uint _range = uint.MaxValue;
    private uint _code;
    private int _position = HeadSize;

    /// <param name="bytes">The packed bytes: a zero, the first code, and the rest.</param>
    public RangeDecoder(ReadOnlySpan<byte> bytes)
    {
        _bytes = bytes;
        IsBroken = bytes.Length < HeadSize || bytes[0] != 0;
        _code = IsBroken ? 0 : BinaryPrimitives.ReadUInt32BigEndian(bytes[1..]);
    }

    /// <summary>The probability of a bit of which nothing is known.</summary>
    public static ushort Even => 1 << (ProbabilityBits - 1);

    /// <summary>True once more was read than there is.</summary>
    public bool IsBroken { get; private set; }

    /// <summary>A bit, whose probability learns from it.</summary>
    public uint Bit(ref ushort probability)
    {
        Normalize();
        uint bound = (_range >> ProbabilityBits) * probability;
        if (_code < bound)
        {
            _range = bound;
            probability += (ushort)(((1 << ProbabilityBits) - probability) >> AdaptionShift);
            return 0;
        }

        _range -= bound;
        _code -= bound;
        probability -= (ushort)(probability >> AdaptionShift);
        return 1;
    }

    /// <summary>Bits that are as often 0 as 1, the highest first.</summary>
    public uint Direct(int count)
    {
        uint value = 0;
        for (; count > 0; count--)
        {
            Normalize();
            _range >>= 1;
            uint bit = _code >= _range ? 1u : 0;
            _code -= bit * _range;
            value = (value << 1) | bit;
        }

        return value;
    }

    /// <summary>Bits by a tree, the highest first.</summary>
    public uint Tree(Span<ushort> probabilities, int bits)
    {
        uint place = 1;
        for (int i = 0; i < bits; i++)
        {
            place = (place << 1) | Bit(ref probabilities[(int)place]);
        }

        return place - (1u << bits);
    }

    /// <summary>Bits by a tree, the lowest first.</summary>
    public uint ReversedTree(Span<ushort> probabilities, int bits)
    {
        uint place = 1, value = 0;
        for (int i = 0; i < bits; i++)
        {
            uint bit = Bit(ref probabilities[(int)place]);
            place = (place << 1) | bit;
            value |= bit << i;
        }

        return value;
    }

    private void Normalize()
    {
        if (_range >= LeastRange)
        {
            return;
        }

        _range <<= 8;
        IsBroken |= _position >= _bytes.Length;
        _code = (_code << 8) | (_position < _bytes.Length ? _bytes[_position] : 0u);
        _position++;
    }
}
