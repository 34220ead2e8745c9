using System.Text;

namespace Dump.Testing.Synthetic;

/// <summary>Linux images and separate debug files made for a test (System V ABI, chapters 4 and 5), as small as they can be.</summary>
public static class FakeElf
{
    private const int HeaderSize = 64;
    private const int ProgramHeaderSize = 56;
    private const int SectionHeaderSize = 64;
    private const int NoteType = 7;
    private const int SymbolTableType = 2;
    private const int StringTableType = 3;

    /// <summary>An image with one segment, as it lies in memory and in its stripped file.</summary>
    /// <param name="buildId">Its build id.</param>
    /// <param name="size">How many bytes it has.</param>
    public static byte[] Image(byte[] buildId, int size = 0x1000)
    {
        const int Note = 0x200;
        byte[] note = NoteOf(buildId);
        ByteWriter file = Header(programHeaders: 2, sections: 0, sectionOffset: 0);
        ProgramHeader(file, type: 1, flags: 5, 0, size);
        ProgramHeader(file, type: 4, flags: 4, Note, note.Length);
        return file.PadTo(Note).Bytes(note).PadTo(size).ToArray();
    }

    /// <summary>
    /// An image of ARM64 with code and a table for unwinding it, as it lies in memory (AADWARF64; Linux Standard Base Core, "Exception Frames").
    /// </summary>
    /// <param name="buildId">Its build id.</param>
    /// <param name="functions">Where each begins, its instructions, and how its frame is unwound from its beginning on.</param>
    public static byte[] Arm64Image(byte[] buildId, params (int At, uint[] Code, byte[] Rules)[] functions)
    {
        const int Note = 0x200, Table = 0x300, Frames = 0x400, Size = 0x2000;
        byte[] note = NoteOf(buildId);
        ByteWriter file = Header(programHeaders: 3, sections: 0, sectionOffset: 0, machine: 183);
        ProgramHeader(file, type: 1, flags: 5, 0, Size);
        ProgramHeader(file, type: 4, flags: 4, Note, note.Length);
        ProgramHeader(file, type: 0x6474E550, flags: 4, Table, Frames - Table);

        // What they share: alignment of code 4, of data -8, the return address in X30, addresses relative to their place; the frame begins at SP.
        ByteWriter frames = new ByteWriter().UInt32(20).UInt32(0).Bytes(1).Bytes("zR\0"u8).Bytes(4, 0x78, 30, 1, 0x1B, 0x0C, 31, 0).PadTo(24);
        ByteWriter table = new ByteWriter().Bytes(1, 0x1B, 0x03, 0x3B).UInt32(Frames - Table - 4).UInt32(functions.Length);
        foreach ((int at, uint[] code, byte[] rules) in functions.OrderBy(f => f.At))
        {
            int start = frames.Length, length = (13 + rules.Length + 3) & ~3;
            table.UInt32(at - Table).UInt32(Frames + start - Table);
            frames.UInt32(length).UInt32(start + 4).UInt32(at - (Frames + start + 8)).UInt32(code.Length * sizeof(uint)).Bytes(0).Bytes(rules)
                .PadTo(start + 4 + length);
        }

        file.PadTo(Note).Bytes(note).PadTo(Table).Bytes(table.ToArray()).PadTo(Frames).Bytes(frames.ToArray());
        foreach ((int at, uint[] code, _) in functions.OrderBy(f => f.At))
        {
            file.PadTo(at).Bytes([.. code.SelectMany(BitConverter.GetBytes)]);
        }

        return file.PadTo(Size).ToArray();
    }

    /// <summary>A separate debug file, which has sections and no segments.</summary>
    /// <param name="buildId">The build id of its image.</param>
    /// <param name="functions">Functions that only others of the image call.</param>
    public static byte[] DebugFile(byte[] buildId, params (string Name, ulong Address, ulong Size)[] functions)
    {
        byte[] note = NoteOf(buildId);
        ByteWriter strings = new ByteWriter().Bytes(0), symbols = new();
        foreach ((string name, ulong address, ulong size) in functions)
        {
            symbols.UInt32(strings.Length).Bytes(2, 0).UInt16(1).UInt64(address).UInt64(size);
            strings.Bytes([.. Encoding.UTF8.GetBytes(name), 0]);
        }

        int symbolsAt = HeaderSize + note.Length, stringsAt = symbolsAt + symbols.Length, sections = stringsAt + strings.Length;
        ByteWriter file = Header(programHeaders: 0, sections: 4, sections).Bytes(note).Bytes(symbols.ToArray()).Bytes(strings.ToArray());
        Section(file, 0, 0, 0, 0);
        Section(file, NoteType, HeaderSize, note.Length, 0);
        Section(file, SymbolTableType, symbolsAt, symbols.Length, 3);
        Section(file, StringTableType, stringsAt, strings.Length, 0);
        return file.ToArray();
    }

    private static byte[] NoteOf(byte[] buildId) =>
        new ByteWriter().UInt32(4).UInt32(buildId.Length).UInt32(3).Bytes("GNU\0"u8).Bytes(buildId).PadTo(16 + ((buildId.Length + 3) & ~3)).ToArray();

    private static ByteWriter Header(int programHeaders, int sections, int sectionOffset, int machine = 62) => new ByteWriter()
        .Bytes("\u007fELF"u8).Bytes(2, 1, 1).PadTo(16).UInt16(3).UInt16(machine).UInt32(1).UInt64(0).UInt64(HeaderSize).UInt64((ulong)sectionOffset).UInt32(0)
        .UInt16(HeaderSize).UInt16(ProgramHeaderSize).UInt16(programHeaders).UInt16(SectionHeaderSize).UInt16(sections).UInt16(0);

    private static void ProgramHeader(ByteWriter file, int type, int flags, int offset, int size) => file
        .UInt32(type).UInt32(flags).UInt64((ulong)offset).UInt64((ulong)offset).UInt64((ulong)offset).UInt64((ulong)size).UInt64((ulong)size).UInt64(1);

    private static void Section(ByteWriter file, int type, int offset, int size, int link) => file
        .UInt32(0).UInt32(type).UInt64(0).UInt64(0).UInt64((ulong)offset).UInt64((ulong)size).UInt32(link).UInt32(0).UInt64(1).UInt64(0);
}
