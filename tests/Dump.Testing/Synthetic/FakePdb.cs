using System.Text;

namespace Dump.Testing.Synthetic;

/// <summary>
/// A program database written by hand, with constants of its own: one module for each call of <see cref="Module"/>, streams scattered over the file.
/// </summary>
public sealed class FakePdb
{
    /// <summary>Section flags of code.</summary>
    public const uint Code = 0x6000_0020;

    /// <summary>Section flags of data.</summary>
    public const uint Data = 0xC000_0040;

    /// <summary>Kind of a global procedure's record.</summary>
    public const int GlobalProcedure = 0x1110;

    private const int FirstModuleStream = 6;
    private readonly ByteWriter _sections = new();
    private readonly ByteWriter _records = new();
    private readonly List<(string Name, ByteWriter? Records, FakePdbLines? Lines)> _modules = [("import.obj", null, null)];
    private readonly ByteWriter _strings = new ByteWriter().Bytes(0);

    /// <summary>Identity.</summary>
    public Guid Guid { get; init; } = new("6f0c5b8e-1d22-4a3b-9c4d-5e6f70819203");

    /// <summary>Age of the build.</summary>
    public uint Age { get; init; } = 2;

    /// <summary>Age in the PDB information stream, which tools raise afterwards.</summary>
    public uint InformationAge { get; init; } = 7;

    /// <summary>Size of a block.</summary>
    public int BlockSize { get; init; } = 512;

    /// <summary>Whether the code was rearranged after linking, so that there is a map of addresses.</summary>
    public bool IsRearranged { get; init; }

    /// <summary>Whether the section headers are there.</summary>
    public bool HasSections { get; init; } = true;

    /// <summary>Blocks of one more stream, all of them the same block of the file; sound files have none.</summary>
    public int SharedBlocks { get; init; }

    /// <summary>Adds a section; the first one has the number 1.</summary>
    public FakePdb Section(uint rva, uint size, uint flags)
    {
        _sections.Bytes(".section"u8).UInt32(size).UInt32(rva).UInt32(size).UInt32(0x400).UInt64(0).UInt32(0).UInt32(flags);
        return this;
    }

    /// <summary>Adds a public symbol; flag 2 is a function, 0 is data.</summary>
    public FakePdb Public(string name, int section, uint offset, uint flags = 2)
    {
        Record(_records, 0x110E, new ByteWriter().UInt32(flags).UInt32(offset).UInt16(section).Bytes(Encoding.UTF8.GetBytes(name)).Bytes(0));
        return this;
    }

    /// <summary>Adds a record of any kind and content to the public symbols.</summary>
    public FakePdb Other(int kind, params byte[] content)
    {
        Record(_records, kind, new ByteWriter().Bytes(content));
        return this;
    }

    /// <summary>Adds bytes behind the public symbols.</summary>
    public FakePdb Raw(params byte[] bytes)
    {
        _records.Bytes(bytes);
        return this;
    }

    /// <summary>Adds a record of any kind and content to the last object file, which <see cref="Module"/> began.</summary>
    public FakePdb OtherInModule(int kind, params byte[] content)
    {
        Record(_modules[^1].Records!, kind, new ByteWriter().Bytes(content));
        return this;
    }

    /// <summary>Begins an object file, to which the procedures that follow belong.</summary>
    public FakePdb Module(string name)
    {
        _modules.Add((name, new ByteWriter().UInt32(4), new FakePdbLines()));
        return this;
    }

    /// <summary>Adds a procedure to the last object file, with a local variable and an end as compilers write them.</summary>
    public FakePdb Procedure(string name, int section, uint offset, uint length, int kind = GlobalProcedure)
    {
        if (_modules[^1].Records is null)
        {
            Module("code.obj");
        }

        ByteWriter records = _modules[^1].Records!;
        Record(records, kind, new ByteWriter().UInt32(0).UInt32(0).UInt32(0).UInt32(length).UInt32(0).UInt32(0).UInt32(0x1001)
            .UInt32(offset).UInt16(section).Bytes(0).Bytes(Encoding.UTF8.GetBytes(name)).Bytes(0));
        Record(records, 0x113E, new ByteWriter().UInt32(0x74).UInt16(1).Bytes("x\0"u8));
        Record(records, 0x0006, new ByteWriter());
        return this;
    }

    /// <summary>Adds a piece of code with lines to the last object file.</summary>
    /// <param name="section">Number of its section.</param>
    /// <param name="offset">Where it begins in the section.</param>
    /// <param name="length">Its length.</param>
    /// <param name="file">The source file.</param>
    /// <param name="lines">Offset from the piece's beginning, line, and column (0 for none of them all).</param>
    public FakePdb Lines(int section, uint offset, uint length, string file, params (uint Offset, uint Line, int Column)[] lines)
    {
        int name = _strings.Length;
        _strings.Bytes(Encoding.UTF8.GetBytes(file)).Bytes(0);
        _modules[^1].Lines!.Add(section, offset, length, name, lines);
        return this;
    }

    /// <summary>Adds a subsection of any kind and content to the line information of the last object file.</summary>
    public FakePdb OtherLines(uint kind, params byte[] content)
    {
        _modules[^1].Lines!.Subsection(kind, content);
        return this;
    }

    /// <summary>The file.</summary>
    public byte[] ToArray()
    {
        // The map of streams: one name, one entry, its bit in the vector of those that are there, none in that of deleted ones.
        int names = FirstModuleStream + _modules.Count(m => m.Records is not null);
        byte[] information = new ByteWriter().UInt32(20000404).UInt32(0x5F000000).UInt32(InformationAge).Bytes(Guid.ToByteArray())
            .UInt32(7).Bytes("/names\0"u8).UInt32(1).UInt32(1).UInt32(1).UInt32(1).UInt32(0).UInt32(0).UInt32(names).ToArray();
        List<byte[]> streams = [[], information, [], DebugInformation(names + 1), _records.ToArray(), _sections.ToArray()];
        streams.AddRange(_modules.Where(m => m.Records is not null)
            .Select(m => new ByteWriter().Bytes(m.Records!.ToArray()).Bytes(m.Lines!.ToArray()).ToArray()));
        streams.Add(new ByteWriter().UInt32(0xEFFE_EFFE).UInt32(1).UInt32(_strings.Length).Bytes(_strings.ToArray()).ToArray());
        streams.Add(new byte[16]);
        return Container(streams);
    }

    private byte[] DebugInformation(int addressMap)
    {
        ByteWriter modules = new();
        int stream = FirstModuleStream;
        foreach ((string name, ByteWriter? records, FakePdbLines? lines) in _modules)
        {
            int at = modules.Length;
            modules.PadTo(at + 34).UInt16(records is null ? 0xFFFF : stream++).UInt32(records?.Length ?? 0);
            modules.UInt32(0).UInt32(lines?.ToArray().Length ?? 0).PadTo(at + 64);
            modules.Bytes(Encoding.UTF8.GetBytes(name)).Bytes(0).Bytes("code.lib\0"u8);
            modules.PadTo((modules.Length + 3) / 4 * 4);
        }

        ByteWriter optional = new();
        for (int i = 0; i < 11; i++)
        {
            optional.UInt16(i == 4 && IsRearranged ? addressMap : i == 5 && HasSections ? 5 : 0xFFFF);
        }

        return new ByteWriter().UInt32(0xFFFF_FFFF).UInt32(19990903).UInt32(Age).UInt16(0xFFFF).UInt16(0x8E1D).UInt16(0xFFFF).UInt16(0)
            .UInt16(4).UInt16(0).UInt32(modules.Length).UInt32(8).UInt32(4).UInt32(12).UInt32(0).UInt32(0)
            .UInt32(optional.Length).UInt32(16).UInt16(0).UInt16(0x8664).UInt32(0)
            .Bytes(modules.ToArray()).Bytes(new byte[8 + 4 + 12]).Bytes(new byte[16]).Bytes(optional.ToArray()).ToArray();
    }

    private static void Record(ByteWriter target, int kind, ByteWriter content)
    {
        content.PadTo((content.Length + 3) / 4 * 4);
        target.UInt16(content.Length + 2).UInt16(kind).Bytes(content.ToArray());
    }

    /// <summary>
    /// Blocks 1 and 2 are free-block maps, block 3 lists the blocks of the directory; all others are taken from the end of the file to its beginning.
    /// </summary>
    private byte[] Container(List<byte[]> streams)
    {
        int directoryLength = 8 + (4 * streams.Count) + (4 * (streams.Sum(BlocksFor) + SharedBlocks));
        int count = 4 + streams.Sum(BlocksFor) + BlocksFor(new byte[directoryLength]);
        byte[] file = new byte[count * BlockSize];
        int next = count;
        ByteWriter directory = new();
        directory.UInt32(streams.Count + 1);
        streams.ForEach(s => directory.UInt32(s.Length));
        directory.UInt32(SharedBlocks * BlockSize);
        foreach (byte[] stream in streams)
        {
            Place(file, stream, directory, ref next);
        }

        for (int i = 0; i < SharedBlocks; i++)
        {
            directory.UInt32(1);
        }

        ByteWriter map = new();
        Place(file, directory.ToArray(), map, ref next);
        map.ToArray().CopyTo(file, 3 * BlockSize);
        new ByteWriter().Bytes("Microsoft C/C++ MSF 7.00\r\n\u001aDS\0\0\0"u8)
            .UInt32(BlockSize).UInt32(1).UInt32(count).UInt32(directoryLength).UInt32(0).UInt32(3).ToArray().CopyTo(file, 0);
        return file;
    }

    private void Place(byte[] file, byte[] content, ByteWriter numbers, ref int next)
    {
        for (int at = 0; at < content.Length; at += BlockSize)
        {
            next--;
            numbers.UInt32(next);
            content.AsSpan(at, Math.Min(BlockSize, content.Length - at)).CopyTo(file.AsSpan(next * BlockSize));
        }
    }

    private int BlocksFor(byte[] content) => (content.Length + BlockSize - 1) / BlockSize;
}
