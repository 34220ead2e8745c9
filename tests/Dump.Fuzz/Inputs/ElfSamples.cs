using System.Text;
using Dump.Testing.Synthetic;

namespace Dump.Fuzz.Inputs;

/// <summary>
/// Linux files made by hand with all that the readers know. Sources: System V ABI, chapters 4 and 5; DWARF 5, 6.4; LSB Core 10.6 (<c>.eh_frame_hdr</c>);
/// glibc elf/dl-lookup.c (the hash table).
/// </summary>
internal static class ElfSamples
{
    /// <summary>A function that the library exports.</summary>
    public const string Export = "work";

    /// <summary>Where the table of unwind information begins in the library.</summary>
    public const int UnwindTable = 0x400;

    /// <summary>Where the code begins in the library; functions follow each other, 0x40 bytes each.</summary>
    public const int Code = 0x1000;

    /// <summary>Bytes of a function.</summary>
    public const int FunctionSize = 0x40;

    private const int Size = 0x1400;
    private const int Dynamic = 0x200;
    private const int Symbols = 0x280;
    private const int Strings = 0x300;
    /// <summary>Where the hash table of the dynamic symbols begins: the number of buckets, of the first symbol, of words of the filter.</summary>
    public const int Hash = 0x340;

    private const int Frames = 0x480;
    private const int Note = 0x1C0;
    private const int Sections = 0x1300;
    private static readonly byte[] s_buildId = [1, 2, 3, 4, 5, 6, 7, 8];
    private static readonly string[] s_names = ["work", "wait", "main"];

    // What compilers write: push rbp, mov rbp rsp; a frame counted by an expression; a signal's frame has its own entry.
    private static readonly byte[][] s_instructions =
    [
        [0x41, 0x0E, 16, 0x86, 2, 0x43, 0x0D, 6, 0x02, 0x1C, 0x0C, 7, 8],
        [0x41, 0x0E, 16, 0x83, 2, 0x0A, 0x41, 0x0E, 64, 0x42, 0x0B],
        [0x0F, 4, 0x77, 8, 0x23, 8, 0x10, 6, 2, 0x77, 0],
    ];

    /// <summary>A debug file with the names of the library's functions.</summary>
    public static byte[] DebugFile() =>
        FakeElf.DebugFile(s_buildId, [.. s_names.Select((n, i) => (n, (ulong)(Code + i * FunctionSize), (ulong)FunctionSize))]);

    /// <summary>A library as it lies in memory and as a file: one segment, dynamic symbols, a hash table, unwind information, sections.</summary>
    public static byte[] Library()
    {
        ByteWriter file = new ByteWriter().Bytes("\u007fELF"u8).Bytes(2, 1, 1).PadTo(16).UInt16(3).UInt16(62).UInt32(1).UInt64(0).UInt64(64)
            .UInt64(Sections).UInt32(0).UInt16(64).UInt16(56).UInt16(4).UInt16(64).UInt16(3).UInt16(0);
        Segment(file, 1, 5, 0, Size);
        Segment(file, 2, 4, Dynamic, 5 * 16);
        Segment(file, 4, 4, Note, 24);
        Segment(file, 0x6474E550, 4, UnwindTable, 12 + 8 * s_names.Length);
        file.PadTo(Note).UInt32(4).UInt32(s_buildId.Length).UInt32(3).Bytes("GNU\0"u8).Bytes(s_buildId);
        file.PadTo(Dynamic).UInt64(6).UInt64(Symbols).UInt64(5).UInt64(Strings).UInt64(0x6FFFFEF5).UInt64(Hash).UInt64(0).UInt64(0);
        AddSymbols(file.PadTo(Symbols));
        file.PadTo(Strings).Bytes(0).Bytes(Encoding.ASCII.GetBytes(string.Concat(s_names.Select(n => n + "\0"))));
        AddHash(file.PadTo(Hash));
        byte[] unwinding = Unwinding();
        file.PadTo(UnwindTable).Bytes(unwinding);

        // ret in each function, and a jump to another behind the first one's beginning.
        for (int i = 0; i < s_names.Length; i++)
        {
            file.PadTo(Code + i * FunctionSize).Bytes(0x55, 0x48, 0x89, 0xE5, 0xE9, 0x37, 0, 0, 0, 0xC3);
        }

        file.PadTo(Sections);
        Section(file, 0, 0, 0, 0);
        Section(file, 11, Symbols, 24 * (s_names.Length + 1), 2);
        Section(file, 3, Strings, 0x40, 0);
        return file.PadTo(Sections + 3 * 64).ToArray();
    }

    /// <summary>The table and the entries, as they stand at <see cref="UnwindTable"/> of the library.</summary>
    public static byte[] Unwinding()
    {
        ByteWriter frames = new();
        byte[] common = [0, 0, 0, 0, 1, (byte)'z', (byte)'R', 0, 1, 0x78, 16, 1, 0x1B, 0x0C, 7, 8, 0x90, 1, 0, 0];
        frames.UInt32(common.Length).Bytes(common);
        List<int> entries = [];
        for (int i = 0; i < s_names.Length; i++)
        {
            int at = frames.Length, place = Frames + at + 8;
            entries.Add(Frames + at);
            byte[] own = [0, .. s_instructions[i]];
            int length = 4 + 4 + 4 + own.Length + 3 & ~3;
            frames.UInt32(length).UInt32(at + 4).UInt32(Code + i * FunctionSize - place).UInt32(FunctionSize).Bytes(own).PadTo(at + 4 + length);
        }

        ByteWriter table = new ByteWriter().Bytes(1, 0x1B, 0x03, 0x3B).UInt32(Frames - UnwindTable - 4).UInt32(s_names.Length);
        for (int i = 0; i < s_names.Length; i++)
        {
            table.UInt32(Code + i * FunctionSize - UnwindTable).UInt32(entries[i] - UnwindTable);
        }

        return table.PadTo(Frames - UnwindTable).Bytes(frames.UInt32(0).ToArray()).ToArray();
    }

    private static void AddSymbols(ByteWriter file)
    {
        file.PadTo(file.Length + 24);
        int name = 1;
        for (int i = 0; i < s_names.Length; i++)
        {
            file.UInt32(name).Bytes(0x12, 0).UInt16(1).UInt64((ulong)(Code + i * FunctionSize)).UInt64(FunctionSize);
            name += s_names[i].Length + 1;
        }
    }

    /// <summary>One bucket with all symbols, and a filter of one word.</summary>
    private static void AddHash(ByteWriter file)
    {
        file.UInt32(1).UInt32(1).UInt32(1).UInt32(6).UInt64(ulong.MaxValue).UInt32(1);
        for (int i = 0; i < s_names.Length; i++)
        {
            uint hash = s_names[i].Aggregate(5381u, (h, c) => unchecked(h * 33 + c));
            file.UInt32(i == s_names.Length - 1 ? hash | 1 : hash & ~1u);
        }
    }

    private static void Segment(ByteWriter file, long type, int flags, int offset, int size) => file
        .UInt32(type).UInt32(flags).UInt64((ulong)offset).UInt64((ulong)offset).UInt64((ulong)offset).UInt64((ulong)size).UInt64((ulong)size).UInt64(1);

    private static void Section(ByteWriter file, int type, int offset, int size, int link) => file
        .UInt32(0).UInt32(type).UInt64(0).UInt64(0).UInt64((ulong)offset).UInt64((ulong)size).UInt32(link).UInt32(0).UInt64(1).UInt64(24);
}
