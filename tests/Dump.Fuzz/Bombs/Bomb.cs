using Dump.Fuzz.Shipped;
using Dump.Testing.Synthetic;

namespace Dump.Fuzz.Bombs;

/// <summary>
/// Cores and images that grow one structure which costs far more than its bytes: alone, and in many images whose cost comes together.
/// </summary>
internal static class Bomb
{
    private const int SymbolSize = 24;
    private const int LongestName = 4_000;

    /// <summary>Expressions of call-frame information that are as long as one may be, one for each frame of many threads.</summary>
    /// <param name="number">Number of the input.</param>
    /// <param name="random">Makes the build ids.</param>
    /// <param name="images">How many images.</param>
    /// <param name="threads">How many threads stand in each of them.</param>
    /// <param name="frames">How many frames each thread has.</param>
    public static ProgramInput Expressions(long number, Random random, int images, int threads, int frames)
    {
        BombCore core = new(number);
        for (int i = 0; i < images; i++)
        {
            BombImage image = new(Id(random));
            AddUnwinding(image, Costly(240));
            ulong at = core.Image(image.ToArray(), $"lib{i}.so") + BombImage.Code + 0x10;
            ulong[] stack = new ulong[2 * frames];
            Array.Fill(stack, at);
            core.Thread(at, stack);
            for (int j = 1; j < threads; j++)
            {
                core.ThreadAt(at, core.LastStack);
            }
        }

        return core.Input();
    }

    /// <summary>Heads of images beside each other, whose segments of notes all lie over the same bytes.</summary>
    /// <inheritdoc cref="Expressions"/>
    /// <param name="bytes">Bytes of the notes.</param>
    public static ProgramInput Notes(long number, Random random, int images, int bytes)
    {
        BombCore core = new(number);
        List<byte[]> heads = [];
        for (int i = 0; i < images; i++)
        {
            BombImage image = new(Id(random));
            for (int j = 0; j < 16; j++)
            {
                image.Segment(4, (images - i) * (long)BombImage.Head, bytes);
            }

            heads.Add(image.ToArray()[..BombImage.Head]);
        }

        core.Heads(heads, new byte[bytes]);
        return core.Input();
    }

    /// <summary>Line number programs of many short sequences, packed.</summary>
    /// <inheritdoc cref="Expressions"/>
    /// <param name="sequences">How many sequences.</param>
    public static ProgramInput Lines(long number, Random random, int images, int sequences)
    {
        byte[] section = LineSection(sequences);
        BombCore core = new(number);
        for (int i = 0; i < images; i++)
        {
            BombImage image = new(Id(random));
            image.Packed(".debug_line", section);
            AddUnwinding(image, [0x77, 16]);
            AddSymbols(image, 4, image.Place("\0work\0"u8), 1);
            ulong at = core.Image(image.ToArray(), $"lib{i}.so") + BombImage.Code + 0x10;
            core.Thread(at, at, at, 0, 0);
        }

        return core.Input();
    }

    /// <summary>Symbols in tables that lie over each other, whose names may be long.</summary>
    /// <inheritdoc cref="Expressions"/>
    /// <param name="symbols">How many symbols the file has.</param>
    /// <param name="tables">How many tables each of them is in.</param>
    /// <param name="nameLength">Bytes of their names.</param>
    public static ProgramInput Symbols(long number, Random random, int images, int symbols, int tables, int nameLength)
    {
        BombCore core = new(number);
        byte[] name = [0, .. Enumerable.Repeat((byte)'_', Math.Min(nameLength, LongestName)), 0];
        for (int i = 0; i < images; i++)
        {
            BombImage image = new(Id(random));
            AddUnwinding(image, [0x77, 16]);
            AddSymbols(image, symbols, image.Place(name), tables);
            ulong at = core.Image(image.ToArray(), "libc.so.6") + BombImage.Code + 0x10;
            core.Thread(at, at, at, at, at, at, at);
        }

        return core.Input();
    }

    /// <summary>Chains of a hash table of dynamic symbols that end nowhere.</summary>
    /// <inheritdoc cref="Expressions"/>
    /// <param name="words">Words of the chain.</param>
    public static ProgramInput HashChains(long number, Random random, int images, int words)
    {
        BombCore core = new(number);
        for (int i = 0; i < images; i++)
        {
            BombImage image = new(Id(random));
            AddUnwinding(image, [0x77, 16]);
            long table = image.Place([.. BombImage.Words(1UL | (1UL << 32), 1UL, 0), .. BitConverter.GetBytes(1)]);
            image.Place(new byte[words * 4]);
            long dynamic = image.Place(BombImage.Words(6, (ulong)table, 5, (ulong)table, 0x6FFF_FEF5, (ulong)table, 0, 0));
            image.Segment(2, dynamic, 64);
            ulong at = core.Image(image.ToArray(), i == 0 ? "libc.so.6" : $"lib{i}.so") + BombImage.Code + 0x10;
            core.Thread(at, at, at, at);
        }

        return core.Input();
    }

    /// <summary>Heads of images beside each other, whose hash tables are all the same one.</summary>
    /// <inheritdoc cref="HashChains"/>
    public static ProgramInput SharedChains(long number, Random random, int images, int words)
    {
        BombCore core = new(number);
        List<byte[]> heads = [];
        for (int i = 0; i < images; i++)
        {
            BombImage image = new(Id(random));
            image.Segment(2, (images - i) * (long)BombImage.Head, 64);
            heads.Add(image.ToArray()[..BombImage.Head]);
        }

        ulong table = BombCore.FirstImage + ((ulong)images * BombImage.Head) + 64;
        core.Heads(heads,
        [
            .. BombImage.Words(6, table, 5, table, 0x6FFF_FEF5, table, 0, 0), .. BombImage.Words(1UL | (1UL << 32), 1UL, 0), .. BitConverter.GetBytes(1),
            .. new byte[words * 4],
        ]);
        return core.Input();
    }

    /// <summary>All of the section headers that a file may have.</summary>
    /// <inheritdoc cref="Expressions"/>
    /// <param name="sections">How many section headers, of a symbol table each.</param>
    public static ProgramInput Sections(long number, Random random, int images, int sections)
    {
        BombCore core = new(number);
        for (int i = 0; i < images; i++)
        {
            BombImage image = new(Id(random));
            AddUnwinding(image, [0x77, 16]);
            AddSymbols(image, 4, image.Place("\0work\0"u8), sections);
            ulong at = core.Image(image.ToArray(), $"lib{i}.so") + BombImage.Code + 0x10;
            core.Thread(at, at, at, at);
        }

        return core.Input();
    }

    /// <summary>Threads without end, each with the smallest note.</summary>
    /// <param name="number">Number of the input.</param>
    /// <param name="random">Makes the build ids.</param>
    /// <param name="threads">How many.</param>
    public static ProgramInput Threads(long number, Random random, int threads)
    {
        BombCore core = new(number);
        BombImage image = new(Id(random));
        AddUnwinding(image, [0x77, 16]);
        ulong at = core.Image(image.ToArray(), "libc.so.6") + BombImage.Code + 0x10;
        core.Thread(at, [.. Enumerable.Repeat(at, 600)]);
        for (int i = 1; i < threads; i++)
        {
            core.ThreadAt(at, core.LastStack);
        }

        return core.Input();
    }

    private static byte[] Id(Random random)
    {
        byte[] id = new byte[20];
        random.NextBytes(id);
        return id;
    }

    /// <summary>An expression of jumps in a circle until it has taken so many rounds: push, pop, jump back.</summary>
    private static byte[] Costly(int rounds) =>
        [0x77, 16, 0x0A, (byte)rounds, (byte)(rounds >> 8), 0x31, 0x1C, 0x12, 0x28, 0xFA, 0xFF, 0x13];

    /// <summary>One entry for all code, whose frames an expression counts.</summary>
    private static void AddUnwinding(BombImage image, byte[] expression)
    {
        byte[] common = [0, 0, 0, 0, 1, (byte)'z', (byte)'R', 0, 1, 0x78, 16, 1, 0x1B, 0x90, 1, 0, 0, 0, 0, 0];
        byte[] own = [0, 0x0F, (byte)expression.Length, .. expression];
        int length = (4 + 4 + 4 + own.Length + 3) & ~3, entry = 4 + common.Length;
        byte[] frames = new byte[entry + 4 + length + 4];
        BitConverter.GetBytes(common.Length).CopyTo(frames, 0);
        common.CopyTo(frames, 4);
        BitConverter.GetBytes(length).CopyTo(frames, entry);
        BitConverter.GetBytes(entry + 4).CopyTo(frames, entry + 4);
        own.CopyTo(frames, entry + 16);
        BitConverter.GetBytes(BombImage.CodeSize).CopyTo(frames, entry + 12);
        long at = image.Place(new byte[frames.Length + 32]);
        long framesAt = at + 32;
        BitConverter.GetBytes((int)(BombImage.Code - (framesAt + entry + 8))).CopyTo(frames, entry + 8);
        byte[] table = [1, 0x1B, 3, 0x3B, .. BitConverter.GetBytes((int)(framesAt - at - 4)), .. BitConverter.GetBytes(1),
            .. BitConverter.GetBytes((int)(BombImage.Code - at)), .. BitConverter.GetBytes((int)(framesAt + entry - at))];
        image.Overwrite(at, table);
        image.Overwrite(framesAt, frames);
        image.Segment(0x6474_E550, at, table.Length);
    }

    private static void AddSymbols(BombImage image, int symbols, long strings, int tables)
    {
        byte[] bytes = new byte[symbols * SymbolSize];
        for (int i = 0; i < symbols; i++)
        {
            // Each a function whose name is the long one, at the same place of one that is asked for.
            BitConverter.GetBytes(1).CopyTo(bytes, i * SymbolSize);
            bytes[(i * SymbolSize) + 4] = 0x12;
            bytes[(i * SymbolSize) + 6] = 1;
            BitConverter.GetBytes((ulong)BombImage.Code + ((ulong)i & 0xFF)).CopyTo(bytes, (i * SymbolSize) + 8);
            BitConverter.GetBytes(0x1000UL).CopyTo(bytes, (i * SymbolSize) + 16);
        }

        long at = image.Place(bytes);
        uint text = image.Sections;
        image.Section(".strtab", 3, strings, LongestName + 2);
        for (int i = 0; i < tables; i++)
        {
            image.Section(".symtab", 2, at, bytes.Length, text);
        }
    }

    /// <summary>DWARF 4: one unit, whose sequences are an address, a row and an end.</summary>
    private static byte[] LineSection(int sequences)
    {
        byte[] sequence = [0, 9, 2, .. BitConverter.GetBytes((ulong)BombImage.Code), 0x4B, 2, 8, 0, 1, 1];
        byte[] header = [1, 1, 1, 0xFB, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, (byte)'a', 0, 0, 0, 0, 0];
        ByteWriter head = new ByteWriter().UInt32(2 + 4 + header.Length + ((long)sequence.Length * sequences)).UInt16(4).UInt32(header.Length).Bytes(header);
        byte[] section = new byte[head.Length + (sequence.Length * sequences)];
        head.ToArray().CopyTo(section, 0);
        for (int i = 0; i < sequences; i++)
        {
            sequence.CopyTo(section, head.Length + (i * sequence.Length));
        }

        return section;
    }
}
