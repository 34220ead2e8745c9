namespace Dump.Testing.Synthetic;

/// <summary>Line information of one object file, with constants of its own: a subsection for each piece of code, and one that lists the source files.</summary>
internal sealed class FakePdbLines
{
    private readonly ByteWriter _files = new();
    private readonly ByteWriter _all = new();

    /// <summary>Adds a piece of code; its lines have columns when the first of them has one.</summary>
    public void Add(int section, uint offset, uint length, int fileName, (uint Offset, uint Line, int Column)[] lines)
    {
        bool haveColumns = lines is [{ Column: > 0 }, ..];
        ByteWriter content = new ByteWriter().UInt32(offset).UInt16(section).UInt16(haveColumns ? 1 : 0).UInt32(length)
            .UInt32(_files.Length).UInt32(lines.Length).UInt32(12 + (lines.Length * (haveColumns ? 12 : 8)));
        foreach ((uint at, uint line, _) in lines)
        {
            content.UInt32(at).UInt32(line | 0x8000_0000);
        }

        foreach ((_, _, int column) in haveColumns ? lines : [])
        {
            content.UInt16(column).UInt16(0);
        }

        // A checksum of two bytes, so that entries are as long as their padding makes them.
        _files.UInt32(fileName).Bytes(2, 1, 0xAA, 0xBB);
        Subsection(0xF2, content.ToArray());
    }

    /// <summary>Adds a subsection of any kind and content.</summary>
    public void Subsection(uint kind, byte[] content)
    {
        _all.UInt32(kind).UInt32(content.Length).Bytes(content);
        _all.PadTo((_all.Length + 3) / 4 * 4);
    }

    /// <summary>All of it.</summary>
    public byte[] ToArray() => _all.Length == 0 && _files.Length == 0 ? []
        : new ByteWriter().UInt32(0xF4).UInt32(_files.Length).Bytes(_files.ToArray()).Bytes(_all.ToArray()).ToArray();
}
