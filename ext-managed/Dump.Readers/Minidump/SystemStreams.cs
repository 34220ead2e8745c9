using Dump.Model.Process;

namespace Dump.Readers.Minidump;

/// <summary>Reads SystemInfo, MiscInfo, Exception and comments.</summary>
internal static class SystemStreams
{
    public static MinidumpSystemInfo? ReadSystemInfo(StreamReader reader, MinidumpStream stream)
    {
        const string Name = "SystemInfo";
        if (!reader.HasRoom(Name, stream, MinidumpLayout.SystemInfoNeeded))
        {
            return null;
        }

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

    public static MinidumpMiscInfo? ReadMiscInfo(StreamReader reader, MinidumpStream stream)
    {
        const string Name = "MiscInfo";
        if (!reader.HasRoom(Name, stream, MinidumpLayout.MiscMinimumSize))
        {
            return null;
        }

        long at = stream.Range.Offset;
        uint size = Math.Min(reader.UInt32(Name, at), (uint)Math.Min(stream.Range.Size, uint.MaxValue));
        uint flags = reader.UInt32(Name, at + MinidumpLayout.MiscFlags);
        bool times = (flags & MinidumpLayout.MiscFlagTimes) != 0;
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

        string? Text(int offset, int characters) =>
            reader.Utf16(Name, at + offset, (ulong)characters * sizeof(char), allowLineBreaks: false);
    }

    public static MinidumpException? ReadException(StreamReader reader, MinidumpStream stream, ProcessorArchitecture architecture)
    {
        const string Name = "Exception";
        if (!reader.HasRoom(Name, stream, MinidumpLayout.ExceptionSize))
        {
            return null;
        }

        long at = stream.Range.Offset;
        uint claimed = reader.UInt32(Name, at + MinidumpLayout.ExceptionParameterCount);
        uint count = Math.Min(claimed, MinidumpLayout.ExceptionMaxParameters);
        if (count < claimed)
        {
            reader.Problem(Name, $"claims {claimed} parameters, at most {count} can be", at);
        }

        List<ulong> parameters = [];
        for (uint i = 0; i < count; i++)
        {
            parameters.Add(reader.UInt64(Name, at + MinidumpLayout.ExceptionParameters + i * sizeof(ulong)));
        }

        FileRange context = new(
            reader.UInt32(Name, at + MinidumpLayout.ExceptionContextRva), reader.UInt32(Name, at + MinidumpLayout.ExceptionContextSize));
        SavedContext? saved = SavedContext.Read(reader.File, context, architecture);
        if (saved is null && context.Size != 0)
        {
            reader.Problem(Name, "has registers that cannot be read", context.Offset);
        }

        return new MinidumpException(
            reader.UInt32(Name, at),
            reader.UInt32(Name, at + MinidumpLayout.ExceptionCode),
            reader.UInt32(Name, at + MinidumpLayout.ExceptionFlags),
            reader.UInt64(Name, at + MinidumpLayout.ExceptionAddress),
            parameters,
            context)
        {
            Registers = saved?.Registers,
            InstructionPointer = saved?.InstructionPointer,
            StackPointer = saved?.StackPointer,
        };
    }

    public static MinidumpComment ReadComment(StreamReader reader, MinidumpStream stream) => new(
        stream.Type == MinidumpLayout.CommentStreamW
            ? reader.Utf16("CommentStreamW", stream.Range.Offset, (ulong)stream.Range.Size, allowLineBreaks: true) ?? ""
            : reader.Utf8("CommentStreamA", stream.Range.Offset, (ulong)stream.Range.Size, allowLineBreaks: true) ?? "");

    private static string? ReadWineVersion(StreamReader reader, long at)
    {
        const int MarkerSize = 16;
        return reader.File.ReadUInt32(at) == MinidumpLayout.WineMarker
            ? reader.Utf8("SystemInfo", at + MarkerSize, 64, allowLineBreaks: false)
            : null;
    }
}
