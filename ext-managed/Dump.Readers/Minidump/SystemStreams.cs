using Dump.Model;

namespace Dump.Readers.Minidump;

/// <summary>Reads SystemInfo, MiscInfo, Exception, comments and function tables.</summary>
internal static class SystemStreams
{
    public static MinidumpSystemInfo ReadSystemInfo(StreamReader reader, MinidumpStream stream)
    {
        const string Name = "SystemInfo";
        long at = stream.Range.Offset;
        ushort architecture = (ushort)reader.UInt32(Name, at);
        uint counts = reader.UInt32(Name, at + 4);
        return new MinidumpSystemInfo(
            architecture switch
            {
                0 => ProcessorArchitecture.X86,
                5 => ProcessorArchitecture.Arm,
                9 => ProcessorArchitecture.X64,
                12 => ProcessorArchitecture.Arm64,
                _ => ProcessorArchitecture.Unknown,
            },
            architecture,
            (int)(counts >> 16 & 0xFF),
            (byte)(counts >> 24),
            reader.UInt32(Name, at + MinidumpLayout.SystemMajor),
            reader.UInt32(Name, at + MinidumpLayout.SystemMinor),
            reader.UInt32(Name, at + MinidumpLayout.SystemBuild),
            reader.UInt32(Name, at + MinidumpLayout.SystemPlatform),
            reader.String(Name, reader.UInt32(Name, at + MinidumpLayout.SystemServicePack)) ?? "",
            ReadWineVersion(reader, at + MinidumpLayout.SystemWineMarker));
    }

    public static MinidumpMiscInfo ReadMiscInfo(StreamReader reader, MinidumpStream stream)
    {
        const string Name = "MiscInfo";
        long at = stream.Range.Offset;
        uint size = Math.Min(reader.UInt32(Name, at), (uint)Math.Min(stream.Range.Size, uint.MaxValue));
        uint flags = reader.UInt32(Name, at + MinidumpLayout.MiscFlags);
        bool times = (flags & MinidumpLayout.MiscFlagTimes) != 0 && size >= MinidumpLayout.MiscMinimumSize;
        bool build = (flags & MinidumpLayout.MiscFlagBuildString) != 0 && size >= MinidumpLayout.MiscSizeWithBuildString;
        return new MinidumpMiscInfo(
            size,
            flags,
            (flags & MinidumpLayout.MiscFlagProcessId) != 0 ? reader.UInt32(Name, at + MinidumpLayout.MiscProcessId) : null,
            times ? reader.UInt32(Name, at + MinidumpLayout.MiscCreateTime) : null,
            times ? reader.UInt32(Name, at + MinidumpLayout.MiscUserTime) : null,
            times ? reader.UInt32(Name, at + MinidumpLayout.MiscKernelTime) : null,
            build ? Text(MinidumpLayout.MiscBuildString, MinidumpLayout.MiscBuildStringCharacters) : null,
            build ? Text(MinidumpLayout.MiscDebugBuildString, MinidumpLayout.MiscDebugBuildStringCharacters) : null);

        string Text(int offset, int characters) =>
            reader.Utf16(Name, at + offset, (ulong)characters * sizeof(char), SafeTextOptions.SingleLine);
    }

    public static MinidumpException ReadException(StreamReader reader, MinidumpStream stream)
    {
        const string Name = "Exception";
        long at = stream.Range.Offset;
        uint claimed = reader.UInt32(Name, at + 0x20);
        uint count = Math.Min(claimed, MinidumpLayout.ExceptionMaxParameters);
        if (count < claimed)
        {
            reader.Problem(Name, $"claims {claimed} parameters, at most {count} can be", at);
        }

        List<ulong> parameters = [];
        for (uint i = 0; i < count; i++)
        {
            parameters.Add(reader.UInt64(Name, at + 0x28 + i * sizeof(ulong)));
        }

        return new MinidumpException(
            reader.UInt32(Name, at), reader.UInt32(Name, at + 8), reader.UInt32(Name, at + 12), reader.UInt64(Name, at + 0x18), parameters,
            new FileRange(reader.UInt32(Name, at + 0xA4), reader.UInt32(Name, at + 0xA0)));
    }

    public static MinidumpComment ReadComment(StreamReader reader, MinidumpStream stream) => new(
        stream.Type == MinidumpLayout.CommentStreamW
            ? reader.Utf16("CommentStreamW", stream.Range.Offset, (ulong)stream.Range.Size, SafeTextOptions.Lines)
            : reader.Utf8("CommentStreamA", stream.Range.Offset, (ulong)stream.Range.Size, SafeTextOptions.Lines));

    public static List<MinidumpFunctionTable> ReadFunctionTables(StreamReader reader, MinidumpStream stream)
    {
        const string Name = "FunctionTable";
        const int DefaultEntrySize = 12;
        long start = stream.Range.Offset;
        uint header = reader.UInt32(Name, start);
        uint descriptor = reader.UInt32(Name, start + 4);
        uint entrySize = reader.UInt32(Name, start + 12);
        List<MinidumpFunctionTable> tables = [];
        if (header < MinidumpLayout.FunctionTableHeaderSize || descriptor < MinidumpLayout.FunctionTableDescriptorSize || descriptor > stream.Range.Size
            || header > stream.Range.Size)
        {
            reader.Problem(Name, "declares sizes that cannot be", start);
            return tables;
        }

        long at = start + header;
        long end = start + stream.Range.Size;
        int count = reader.Count(Name, reader.UInt32(Name, start + 16), (int)descriptor, at, end, reader.Limits.MaxModules);
        for (int i = 0; i < count && at <= end - descriptor; i++)
        {
            uint claimed = reader.UInt32(Name, at + 24);
            long entries = at + descriptor;
            int size = entrySize is 0 or > 64 ? DefaultEntrySize : (int)entrySize;
            int found = reader.Count(Name, claimed, size, entries, end, int.MaxValue);
            tables.Add(new MinidumpFunctionTable(
                reader.UInt64(Name, at), reader.UInt64(Name, at + 8), reader.UInt64(Name, at + 16), (uint)found, new FileRange(entries, (long)found * size)));
            at = entries + (long)found * size + 7 & ~7L;
        }

        return tables;
    }

    private static string? ReadWineVersion(StreamReader reader, long at)
    {
        const int MarkerSize = 16;
        return reader.File.ReadUInt32(at) == MinidumpLayout.WineMarker
            ? reader.Utf8("SystemInfo", at + MarkerSize, 64, SafeTextOptions.SingleLine)
            : null;
    }
}
