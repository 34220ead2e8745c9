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

    private static ByteWriter Header(int programHeaders, int sections, int sectionOffset) => new ByteWriter()
        .Bytes("\u007fELF"u8).Bytes(2, 1, 1).PadTo(16).UInt16(3).UInt16(62).UInt32(1).UInt64(0).UInt64(HeaderSize).UInt64((ulong)sectionOffset).UInt32(0)
        .UInt16(HeaderSize).UInt16(ProgramHeaderSize).UInt16(programHeaders).UInt16(SectionHeaderSize).UInt16(sections).UInt16(0);

    private static void ProgramHeader(ByteWriter file, int type, int flags, int offset, int size) => file
        .UInt32(type).UInt32(flags).UInt64((ulong)offset).UInt64((ulong)offset).UInt64((ulong)offset).UInt64((ulong)size).UInt64((ulong)size).UInt64(1);

    private static void Section(ByteWriter file, int type, int offset, int size, int link) => file
        .UInt32(0).UInt32(type).UInt64(0).UInt64(0).UInt64((ulong)offset).UInt64((ulong)size).UInt32(link).UInt32(0).UInt64(1).UInt64(0);
}
