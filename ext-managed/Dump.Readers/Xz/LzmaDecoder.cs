using System.Buffers.Binary;

namespace Dump.Readers.Xz;

/// <summary>Unpacks the packed chunks of LZMA2 (LZMA SDK, lzma-specification.txt).</summary>
internal sealed class LzmaDecoder
{
    private const int States = 12;
    private const int FirstAfterMatch = 7;
    private const int PositionBits = 4;
    private const int LiteralProbabilities = 0x300;
    private const int MostLiteralBits = 4;
    private const int LengthStates = 4;
    private const int SlotBits = 6;
    private const int AlignBits = 4;
    private const int FirstAligned = 14;
    private const int FullDistances = 128;
    private const int LeastMatch = 2;
    private const uint EndMark = uint.MaxValue;
    private readonly ushort[] _isMatch = new ushort[States << PositionBits];
    private readonly ushort[] _isRepeat = new ushort[States];
    private readonly ushort[] _isLater = new ushort[States * 3];
    private readonly ushort[] _isLong = new ushort[States << PositionBits];
    private readonly ushort[] _slots = new ushort[LengthStates << SlotBits];
    private readonly ushort[] _special = new ushort[FullDistances];
    private readonly ushort[] _align = new ushort[1 << AlignBits];
    private readonly ushort[] _literals = new ushort[LiteralProbabilities << MostLiteralBits];
    private readonly LzmaLengths _matches = new();
    private readonly LzmaLengths _repeats = new();
    private readonly uint[] _distances = new uint[4];
    private int _literalContextBits, _literalPositionMask, _positionMask;
    private int _state, _dictionary;
    private bool _hasProperties;

    /// <summary>A new block: how it is packed is not known yet.</summary>
    public void Forget() => _hasProperties = false;

    /// <summary>The dictionary begins anew.</summary>
    /// <param name="start">How much has been unpacked until here.</param>
    public void ResetDictionary(int start) => _dictionary = start;

    /// <summary>How the next chunks are packed: three small numbers in one byte. False when they are not those of LZMA2.</summary>
    public bool SetProperties(byte properties)
    {
        const int MostProperties = 9 * 5 * 5;
        int context = properties % 9, position = properties / 9 % 5, bits = properties / 45;
        if (properties >= MostProperties || context + position > MostLiteralBits)
        {
            return false;
        }

        (_literalContextBits, _literalPositionMask, _positionMask, _hasProperties) = (context, (1 << position) - 1, (1 << bits) - 1, true);
        return ResetState();
    }

    /// <summary>Forgets what was learnt; false when it is not known how chunks are packed.</summary>
    public bool ResetState()
    {
        foreach (ushort[] probabilities in (ushort[][])[_isMatch, _isRepeat, _isLater, _isLong, _slots, _special, _align, _literals])
        {
            Array.Fill(probabilities, RangeDecoder.Even);
        }

        _matches.Reset();
        _repeats.Reset();
        Array.Clear(_distances);
        _state = 0;
        return _hasProperties;
    }

    /// <summary>Unpacks a chunk; false when it is damaged.</summary>
    /// <param name="packed">Its bytes.</param>
    /// <param name="output">What was unpacked until here, and room.</param>
    /// <param name="length">How much was unpacked until here.</param>
    /// <param name="size">How many bytes the chunk has unpacked.</param>
    public bool Decode(ReadOnlySpan<byte> packed, byte[] output, int length, int size)
    {
        RangeDecoder range = new(packed);
        int end = length + size;
        while (_hasProperties && length < end && !range.IsBroken)
        {
            int position = (length - _dictionary) & _positionMask;
            if (range.Bit(ref _isMatch[(_state << PositionBits) + position]) == 0)
            {
                if (!Literal(ref range, output, length))
                {
                    return false;
                }

                length++;
                _state = _state < 4 ? 0 : _state < 10 ? _state - 3 : _state - 6;
                continue;
            }

            int count = range.Bit(ref _isRepeat[_state]) == 0 ? Match(ref range, position) : Repeat(ref range, position);
            if (count > end - length || _distances[0] >= (uint)(length - _dictionary))
            {
                return false;
            }

            for (int from = length - (int)_distances[0] - 1; count > 0; count--)
            {
                output[length++] = output[from++];
            }
        }

        return length == end && !range.IsBroken;
    }

    /// <summary>One byte by the one before it, and after a match by the one that the match would have gone on with.</summary>
    private bool Literal(ref RangeDecoder range, byte[] output, int length)
    {
        int past = length - _dictionary;
        int before = past > 0 ? output[length - 1] : 0;
        int context = ((past & _literalPositionMask) << _literalContextBits) + (before >> (8 - _literalContextBits));
        Span<ushort> probabilities = _literals.AsSpan(LiteralProbabilities * context, LiteralProbabilities);
        uint symbol = 1;
        if (_state >= FirstAfterMatch)
        {
            if (_distances[0] >= (uint)past)
            {
                return false;
            }

            uint match = output[length - (int)_distances[0] - 1];
            uint expected, bit;
            do
            {
                expected = (match >> 7) & 1;
                match <<= 1;
                bit = range.Bit(ref probabilities[(int)(((1 + expected) << 8) + symbol)]);
                symbol = (symbol << 1) | bit;
            }
            while (expected == bit && symbol < 0x100);
        }

        while (symbol < 0x100)
        {
            symbol = (symbol << 1) | range.Bit(ref probabilities[(int)symbol]);
        }

        output[length] = (byte)symbol;
        return true;
    }

    private int Match(ref RangeDecoder range, int position)
    {
        _distances.AsSpan(0, 3).CopyTo(_distances.AsSpan(1));
        int length = _matches.Read(ref range, position);
        _state = _state < FirstAfterMatch ? 7 : 10;
        int slot = (int)range.Tree(_slots.AsSpan(Math.Min(length, LengthStates - 1) << SlotBits, 1 << SlotBits), SlotBits);
        uint distance = (uint)slot;
        if (slot >= 4)
        {
            int bits = (slot >> 1) - 1;
            distance = (2u | ((uint)slot & 1)) << bits;
            distance += slot < FirstAligned
                ? range.ReversedTree(_special.AsSpan((int)distance - slot), bits)
                : (range.Direct(bits - AlignBits) << AlignBits) + range.ReversedTree(_align, AlignBits);
        }

        _distances[0] = distance;

        // A mark of the end has no place in a chunk, whose size is known.
        return distance == EndMark ? int.MaxValue : length + LeastMatch;
    }

    /// <summary>A match at one of the last four distances, which becomes the last one.</summary>
    private int Repeat(ref RangeDecoder range, int position)
    {
        if (range.Bit(ref _isLater[_state]) == 0)
        {
            if (range.Bit(ref _isLong[(_state << PositionBits) + position]) == 0)
            {
                _state = _state < FirstAfterMatch ? 9 : 11;
                return 1;
            }
        }
        else
        {
            int which = range.Bit(ref _isLater[States + _state]) == 0 ? 1 : range.Bit(ref _isLater[States * 2 + _state]) == 0 ? 2 : 3;
            uint distance = _distances[which];
            _distances.AsSpan(0, which).CopyTo(_distances.AsSpan(1));
            _distances[0] = distance;
        }

        _state = _state < FirstAfterMatch ? 8 : 11;
        return _repeats.Read(ref range, position) + LeastMatch;
    }
}

/// <summary>Lengths of matches, by three ranges of them (LZMA SDK, lzma-specification.txt, "Match Length").</summary>
internal sealed class LzmaLengths
{
    private const int Positions = 16;
    private const int ShortBits = 3;
    private const int LongBits = 8;
    private readonly ushort[] _choices = new ushort[2];
    private readonly ushort[] _low = new ushort[Positions << ShortBits];
    private readonly ushort[] _middle = new ushort[Positions << ShortBits];
    private readonly ushort[] _high = new ushort[1 << LongBits];

    /// <summary>Forgets what was learnt.</summary>
    public void Reset()
    {
        foreach (ushort[] probabilities in (ushort[][])[_choices, _low, _middle, _high])
        {
            Array.Fill(probabilities, RangeDecoder.Even);
        }
    }

    /// <summary>A length without the two bytes that each match has.</summary>
    public int Read(ref RangeDecoder range, int position) =>
        range.Bit(ref _choices[0]) == 0 ? (int)range.Tree(_low.AsSpan(position << ShortBits, 1 << ShortBits), ShortBits)
        : range.Bit(ref _choices[1]) == 0 ? (1 << ShortBits) + (int)range.Tree(_middle.AsSpan(position << ShortBits, 1 << ShortBits), ShortBits)
        : (2 << ShortBits) + (int)range.Tree(_high, LongBits);
}

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
