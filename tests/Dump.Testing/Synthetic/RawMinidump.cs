namespace Dump.Testing.Synthetic;

/// <summary>A minidump of streams whose bytes a test writes itself, sound or not.</summary>
public sealed class RawMinidump
{
    private const int HeaderSize = 32;
    private const int DirectoryEntrySize = 12;
    private const int MaximumStreams = 20;
    private readonly ByteWriter _file = new ByteWriter().PadTo(HeaderSize + MaximumStreams * DirectoryEntrySize);
    private readonly List<(uint Type, int Size, int Offset)> _streams = [];

    /// <summary>Appends bytes that belong to no stream and returns where they begin.</summary>
    public int Data(params ReadOnlySpan<byte> bytes)
    {
        int at = _file.Length;
        _file.Bytes(bytes);
        return at;
    }

    /// <summary>Appends a counted UTF-16 string and returns where it begins.</summary>
    public int Text(string text) => _file.CountedString(text);

    /// <summary>Adds a stream.</summary>
    public RawMinidump Stream(uint type, params ReadOnlySpan<byte> content)
    {
        _streams.Add((type, content.Length, _file.Length));
        _file.Bytes(content);
        return this;
    }

    /// <summary>Adds the SystemInfo stream of a Windows 10 x64 system.</summary>
    public RawMinidump System() =>
        Stream(7, new ByteWriter().UInt16(9).UInt16(6).UInt16(0).Bytes(4, 1).UInt32(10).UInt32(0).UInt32(19045).UInt32(2).UInt32(0).PadTo(56).ToArray());

    /// <summary>Adds a ThreadList stream with one thread that has no registers.</summary>
    public RawMinidump Thread() => Stream(3, new ByteWriter().UInt32(1).UInt32(4).PadTo(52).ToArray());

    /// <summary>Adds a ModuleList stream of modules of 0x1000 bytes, 0x10000 apart, by the places of their names.</summary>
    public RawMinidump Modules(IReadOnlyList<int> names)
    {
        ByteWriter list = new ByteWriter().UInt32(names.Count);
        for (int i = 0; i < names.Count; i++)
        {
            int entry = list.Length;
            list.UInt64(0x1_8000_0000 + (ulong)i * 0x10000).UInt32(0x1000).UInt32(0).UInt32(0).UInt32(names[i]).PadTo(entry + 108);
        }

        return Stream(4, list.ToArray());
    }

    /// <summary>The file.</summary>
    public byte[] ToArray()
    {
        byte[] header = new ByteWriter().Bytes("MDMP"u8).UInt32(0xA793).UInt32(_streams.Count).UInt32(HeaderSize).PadTo(HeaderSize).ToArray();
        byte[] file = _file.ToArray();
        header.CopyTo(file, 0);
        ByteWriter directory = new();
        foreach ((uint type, int size, int offset) in _streams)
        {
            directory.UInt32(type).UInt32(size).UInt32(offset);
        }

        directory.ToArray().CopyTo(file, HeaderSize);
        return file;
    }
}
