using Dump.Fuzz.Bombs;
using Dump.Fuzz.Shipped;

namespace Dump.Fuzz.Kinds;

/// <summary>
/// Small files that would cost much: the first inputs are of the sizes that have once cost too much (docs/reliability.md), all others of any size whose files
/// together have less than 10 MB.
/// </summary>
internal sealed class BombKind() : ProgramKind("bomb", together: 1)
{
    private static readonly (string Name, Func<long, Random, ProgramInput> Make)[] s_known =
    [
        ("expressions in .eh_frame, 24 KB", (n, r) => Bomb.Expressions(n, r, 1, 40, 400)),
        ("expressions in .eh_frame, 93 KB", (n, r) => Bomb.Expressions(n, r, 1, 200, 1_000)),
        ("expressions in .eh_frame of 100 images", (n, r) => Bomb.Expressions(n, r, 100, 10, 500)),
        ("overlapping notes, 417 KB", (n, r) => Bomb.Notes(n, r, 15, 400_000)),
        ("overlapping notes, 517 KB", (n, r) => Bomb.Notes(n, r, 20, 495_000)),
        ("overlapping notes of 2,000 images", (n, r) => Bomb.Notes(n, r, 2_000, 6_000_000)),
        (".debug_line of 4 libraries, packed", (n, r) => Bomb.Lines(n, r, 4, 500_000)),
        (".debug_line of 60 libraries, packed", (n, r) => Bomb.Lines(n, r, 60, 500_000)),
        ("2,000,000 symbols of libc.so.6", (n, r) => Bomb.Symbols(n, r, 1, 2_000_000, 1, 8)),
        ("200,000 symbols in 10 tables of libc.so.6", (n, r) => Bomb.Symbols(n, r, 1, 200_000, 10, 8)),
        ("200,000 symbols with names of 4,000 bytes", (n, r) => Bomb.Symbols(n, r, 1, 200_000, 1, 4_000)),
        ("20,000 symbols with names of 4,000 bytes, 18 images", (n, r) => Bomb.Symbols(n, r, 18, 20_000, 10, 4_000)),
        ("a chain of 2,000,000 words in a hash table", (n, r) => Bomb.HashChains(n, r, 1, 2_000_000)),
        ("chains of 100,000 words, 22 images", (n, r) => Bomb.HashChains(n, r, 22, 100_000)),
        ("one chain of 2,000,000 words, 300 images", (n, r) => Bomb.SharedChains(n, r, 300, 2_000_000)),
        ("60,000 section headers", (n, r) => Bomb.Sections(n, r, 1, 60_000)),
        ("6,000 section headers, 22 images", (n, r) => Bomb.Sections(n, r, 22, 6_000)),
        ("25,000 threads", (n, r) => Bomb.Threads(n, r, 25_000)),
    ];

    /// <summary>Names of the first inputs, by their numbers.</summary>
    public static IReadOnlyList<string> Known { get; } = [.. s_known.Select(k => k.Name)];

    /// <inheritdoc/>
    public override ProgramInput Make(Random random, long number)
    {
        if (number < s_known.Length)
        {
            return s_known[number].Make(number, random);
        }

        int images = 1 + (random.Next(3) == 0 ? random.Next(100) : random.Next(3)), most = 9_000_000 / images;
        return random.Next(8) switch
        {
            0 => Bomb.Expressions(number, random, images, 1 + random.Next(1 + (most / 20_000)), 1 + random.Next(1_000)),
            1 => Bomb.Notes(number, random, images * 20, 12 + random.Next(7_000_000)),
            2 => Bomb.Lines(number, random, images, 1 + random.Next(700_000)),
            3 => Bomb.Symbols(number, random, images, 1 + random.Next(most / 24), 1 + random.Next(20), random.Next(4_000)),
            4 => Bomb.HashChains(number, random, images, 1 + random.Next(most / 4)),
            5 => Bomb.SharedChains(number, random, images * 10, 1 + random.Next(2_000_000)),
            6 => Bomb.Sections(number, random, images, 1 + random.Next(Math.Min(60_000, most / 80))),
            _ => Bomb.Threads(number, random, 1 + random.Next(25_000)),
        };
    }
}
