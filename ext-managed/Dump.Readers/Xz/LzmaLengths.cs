namespace Dump.Readers.Xz;

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
