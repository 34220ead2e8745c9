using System.Buffers.Binary;
using System.IO.Compression;
using System.Text;

namespace Dump.Fuzz.Bombs;

/// <summary>
/// A Linux library whose tables describe more work than its length suggests. One segment with code from its beginning; its sections lie behind that.
/// Sources: System V ABI, chapters 4 and 5; DWARF 5; LSB Core 10.6 (<c>.eh_frame_hdr</c>).
/// </summary>
/// <param name="buildId">Its build id.</param>
internal sealed class BombImage(byte[] buildId)
{
    /// <summary>Bytes that lie in the memory of the process: the headers and the build id.</summary>
    public const int Head = 0x300;

    /// <summary>Where code may be: behind all that the file holds.</summary>
    public const int Code = 0x4000_0000;

    /// <summary>How much code there may be.</summary>
    public const int CodeSize = 0x1000_0000;

    private const int HeaderSize = 64;
    private const int NoteAt = 0x280;
    private const int MostSegments = (NoteAt - HeaderSize) / SegmentSize;
    private const int SegmentSize = 56;
    private const int SectionSize = 64;
    private readonly MemoryStream _content = new();
    private readonly List<(uint Type, long Offset, long Size)> _segments = [];
    private readonly List<(string Name, uint Type, ulong Flags, long Offset, long Size, uint Link)> _sections = [("", 0, 0, 0, 0, 0)];

    /// <summary>Number of sections so far, which is the number of the next one.</summary>
    public uint Sections => (uint)_sections.Count;

    /// <summary>Places bytes in the file, and in the segment.</summary>
    /// <returns>Where they lie.</returns>
    public long Place(ReadOnlySpan<byte> bytes)
    {
        while (_content.Length % 16 != 0)
        {
            _content.WriteByte(0);
        }

        long at = Head + _content.Length;
        _content.Write(bytes);
        return at;
    }

    /// <summary>Writes over bytes that are placed.</summary>
    public void Overwrite(long offset, byte[] bytes)
    {
        _content.Position = offset - Head;
        _content.Write(bytes);
        _content.Position = _content.Length;
    }

    /// <summary>Adds a program header of what lies in the segment.</summary>
    public void Segment(uint type, long offset, long size)
    {
        if (_segments.Count < MostSegments - 2)
        {
            _segments.Add((type, offset, size));
        }
    }

    /// <summary>Adds a section of bytes that are placed already: several may lie over each other.</summary>
    public void Section(string name, uint type, long offset, long size, uint link = 0, ulong flags = 0) => _sections.Add((name, type, flags, offset, size, link));

    /// <summary>Adds a section that is packed by zlib, as one to a thousand at most.</summary>
    public void Packed(string name, byte[] content)
    {
        using MemoryStream packed = new();
        packed.Write(Words(1, (ulong)content.Length, 1));
        using (ZLibStream packing = new(packed, CompressionLevel.SmallestSize, leaveOpen: true))
        {
            packing.Write(content);
        }

        Section(name, 1, Place(packed.ToArray()), packed.Length, flags: 0x800);
    }

    /// <summary>The file.</summary>
    public byte[] ToArray()
    {
        byte[] note = [.. BitConverter.GetBytes(4), .. BitConverter.GetBytes(buildId.Length), .. BitConverter.GetBytes(3), .. "GNU\0"u8, .. buildId];
        long length = Head + _content.Length;
        StringBuilder names = new();
        List<int> places = [];
        foreach ((string name, _, _, _, _, _) in _sections)
        {
            places.Add(names.Length);
            names.Append(name).Append('\0');
        }

        byte[] text = Encoding.ASCII.GetBytes(names.Append(".shstrtab\0").ToString());
        long table = length + text.Length;
        byte[] file = new byte[table + ((_sections.Count + 1) * SectionSize)];
        ((byte[])[0x7F, (byte)'E', (byte)'L', (byte)'F', 2, 1, 1]).CopyTo(file, 0);
        Write16(file, 16, 3);
        Write16(file, 18, 62);
        Write64(file, 32, HeaderSize);
        Write64(file, 40, (ulong)table);
        Write16(file, 52, HeaderSize);
        Write16(file, 54, SegmentSize);
        Write16(file, 58, SectionSize);
        Write16(file, 60, (ushort)(_sections.Count + 1));
        Write16(file, 62, (ushort)_sections.Count);
        note.CopyTo(file, NoteAt);
        int count = 0;
        AddSegment(file, ref count, 1, 0, length, Code + CodeSize);
        foreach ((uint type, long offset, long size) in _segments)
        {
            AddSegment(file, ref count, type, offset, size, size);
        }

        AddSegment(file, ref count, 4, NoteAt, note.Length, note.Length);
        Write16(file, 56, (ushort)count);
        _content.ToArray().CopyTo(file, Head);
        text.CopyTo(file, (int)length);
        for (int i = 0; i < _sections.Count; i++)
        {
            (_, uint type, ulong flags, long offset, long size, uint link) = _sections[i];
            AddSection(file, table + (i * SectionSize), places[i], type, flags, offset, size, link);
        }

        AddSection(file, table + (_sections.Count * SectionSize), text.Length - ".shstrtab\0".Length, 3, 0, length, text.Length, 0);
        return file;
    }

    /// <summary>64-bit values.</summary>
    public static byte[] Words(params ReadOnlySpan<ulong> values)
    {
        byte[] bytes = new byte[values.Length * sizeof(ulong)];
        for (int i = 0; i < values.Length; i++)
        {
            Write64(bytes, i * sizeof(ulong), values[i]);
        }

        return bytes;
    }

    private static void AddSegment(byte[] file, ref int count, uint type, long offset, long size, long memorySize)
    {
        int at = HeaderSize + (SegmentSize * count++);
        Write32(file, at, type);
        Write32(file, at + 4, 5);
        Words((ulong)offset, (ulong)offset, (ulong)offset, (ulong)size, (ulong)memorySize, 1).CopyTo(file, at + 8);
    }

    private static void AddSection(byte[] file, long at, int name, uint type, ulong flags, long offset, long size, uint link)
    {
        Write32(file, (int)at, (uint)name);
        Write32(file, (int)at + 4, type);
        Words(flags, 0, (ulong)offset, (ulong)size, link, 1, 24).CopyTo(file, (int)at + 8);
    }

    private static void Write16(byte[] bytes, int at, ushort value) => BinaryPrimitives.WriteUInt16LittleEndian(bytes.AsSpan(at), value);

    private static void Write32(byte[] bytes, int at, uint value) => BinaryPrimitives.WriteUInt32LittleEndian(bytes.AsSpan(at), value);

    private static void Write64(byte[] bytes, int at, ulong value) => BinaryPrimitives.WriteUInt64LittleEndian(bytes.AsSpan(at), value);
}
