namespace Dump.Fuzz.Inputs;

/// <summary>
/// Damages files: numbers that say how many, how large or where become others, pieces go, come twice or from elsewhere, files are cut, bits turn.
/// </summary>
internal static class ByteMutator
{
    private const int MostChanges = 8;
    private const int MostBits = 64;
    private const int MostPiece = 4_096;
    private const int Head = 4_096;

    /// <summary>A damaged copy of one of the samples.</summary>
    /// <param name="samples">The samples.</param>
    /// <param name="random">Decides everything: the same numbers damage in the same way.</param>
    public static byte[] Damage(IReadOnlyList<Sample> samples, Random random)
    {
        Sample sample = samples[random.Next(samples.Count)];
        byte[] bytes = [.. sample.Bytes];
        int longest = bytes.Length * 2 + MostPiece;
        for (int changes = 1 + Math.Min(random.Next(MostChanges), random.Next(MostChanges)); changes > 0 && bytes.Length > 0; changes--)
        {
            bytes = Change(bytes, sample, samples, random);
        }

        return bytes.Length <= longest ? bytes : bytes[..longest];
    }

    private static byte[] Change(byte[] bytes, Sample sample, IReadOnlyList<Sample> samples, Random random)
    {
        switch (random.Next(16))
        {
            case <= 5 when sample.Fields.Count > 0:
                Field field = sample.Fields[random.Next(sample.Fields.Count)];
                field.Write(bytes, Number(bytes, field, sample, random));
                return bytes;
            case <= 7:
                Flip(bytes, random);
                return bytes;
            case 8:
                bytes[Place(bytes, sample, random)] = (byte)random.Next(256);
                return bytes;
            case 9:
                return bytes[..Place(bytes, sample, random)];
            case 10:
                Piece(bytes, sample, random).Fill((byte)(random.Next(2) * 0xFF));
                return bytes;
            case 11:
                return Without(bytes, Place(bytes, sample, random), random);
            case 12:
                return With(bytes, Place(bytes, sample, random), Piece(bytes, sample, random).ToArray());
            case 13:
                Sample other = samples[random.Next(samples.Count)];
                return With(bytes, Place(bytes, sample, random), Piece([.. other.Bytes], other, random).ToArray());
            case 14:
                Sample source = samples[random.Next(samples.Count)];
                Over(bytes, Place(bytes, sample, random), Piece([.. source.Bytes], source, random));
                return bytes;
            default:
                byte[] noise = new byte[1 + random.Next(16)];
                random.NextBytes(noise);
                Over(bytes, Place(bytes, sample, random), noise);
                return bytes;
        }
    }

    /// <summary>What a number may become: the limits of its size, near what it was, what another one says, the file's length, any.</summary>
    private static ulong Number(byte[] bytes, Field field, Sample sample, Random random)
    {
        ulong old = field.Read(bytes);
        return random.Next(12) switch
        {
            0 => 0,
            1 => ulong.MaxValue,
            2 => (1UL << (8 * field.Size - 1)) - 1,
            3 => 1UL << (8 * field.Size - 1),
            4 => old + 1,
            5 => old - 1,
            6 => old * 2,
            7 => (ulong)bytes.Length - (ulong)random.Next(3),
            8 => sample.Fields[random.Next(sample.Fields.Count)].Read(bytes),
            9 => sample.Boundaries.Count == 0 ? old : (ulong)sample.Boundaries[random.Next(sample.Boundaries.Count)],
            10 => old ^ (1UL << random.Next(8 * field.Size)),
            _ => (ulong)random.NextInt64(0, 1L << random.Next(1, 63)),
        };
    }

    /// <summary>Half of the bits turn in the first 4 KB, where most numbers stand.</summary>
    private static void Flip(byte[] bytes, Random random)
    {
        for (int bits = 1 + Math.Min(random.Next(MostBits), random.Next(MostBits)); bits > 0; bits--)
        {
            bytes[random.Next(bits % 2 == 0 ? bytes.Length : Math.Min(bytes.Length, Head))] ^= (byte)(1 << random.Next(8));
        }
    }

    private static int Place(byte[] bytes, Sample sample, Random random)
    {
        int at = sample.Boundaries.Count > 0 && random.Next(2) == 0
            ? sample.Boundaries[random.Next(sample.Boundaries.Count)] + random.Next(3) - 1
            : random.Next(bytes.Length);
        return Math.Clamp(at, 0, bytes.Length - 1);
    }

    private static Span<byte> Piece(byte[] bytes, Sample sample, Random random)
    {
        int at = Place(bytes, sample, random);
        return bytes.AsSpan(at, Math.Min(bytes.Length - at, 1 + random.Next(1 << random.Next(13))));
    }

    private static byte[] Without(byte[] bytes, int at, Random random)
    {
        int length = Math.Min(bytes.Length - at, 1 + random.Next(1 << random.Next(13)));
        return [.. bytes.AsSpan(0, at), .. bytes.AsSpan(at + length)];
    }

    private static byte[] With(byte[] bytes, int at, byte[] piece) => [.. bytes.AsSpan(0, at), .. piece, .. bytes.AsSpan(at)];

    private static void Over(byte[] bytes, int at, ReadOnlySpan<byte> piece) =>
        piece[..Math.Min(piece.Length, bytes.Length - at)].CopyTo(bytes.AsSpan(at));
}
