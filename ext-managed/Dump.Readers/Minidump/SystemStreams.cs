using Dump.Model.Process;
using Dump.Readers.Registers;

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

/// <summary>The Exception stream.</summary>
/// <param name="ThreadId">Thread that raised it.</param>
/// <param name="Code">Exception code.</param>
/// <param name="Flags">Exception flags.</param>
/// <param name="Address">Address of the instruction as recorded; for x86, writers extend it to 64 bits with its sign.</param>
/// <param name="Parameters">At most 15 parameters as recorded; addresses among them are extended like <paramref name="Address"/>.</param>
/// <param name="Context">Where the CONTEXT is.</param>
public sealed record MinidumpException(
    uint ThreadId,
    uint Code,
    uint Flags,
    ulong Address,
    IReadOnlyList<ulong> Parameters,
    FileRange Context)
{
    /// <summary>Registers at the exception, or null when the context is absent, not readable or of an architecture whose stacks are not walked.</summary>
    public IFrameRegisters? Registers { get; init; }

    /// <summary>Instruction pointer at the exception on any known architecture, or null.</summary>
    public ulong? InstructionPointer { get; init; }

    /// <summary>Stack pointer at the exception on any known architecture, or null.</summary>
    public ulong? StackPointer { get; init; }
}

/// <summary>The MiscInfo stream. A field is null when its flag is not set or the stream is too short for it.</summary>
/// <param name="Size">Size that the structure claims, which tells its version.</param>
/// <param name="Flags">Which fields are valid.</param>
/// <param name="ProcessId">Process id.</param>
/// <param name="CreateTime">Seconds since 1970 (UTC) when the process was created.</param>
/// <param name="UserTime">Seconds of processor time in user mode.</param>
/// <param name="KernelTime">Seconds of processor time in kernel mode.</param>
/// <param name="BuildString">The system's build text (sanitised).</param>
/// <param name="DebugBuildString">The writer's build text (sanitised).</param>
public sealed record MinidumpMiscInfo(
    uint Size,
    uint Flags,
    uint? ProcessId,
    uint? CreateTime,
    uint? UserTime,
    uint? KernelTime,
    string? BuildString,
    string? DebugBuildString);

/// <summary>The SystemInfo stream.</summary>
/// <param name="Architecture">Processor architecture.</param>
/// <param name="RawArchitecture">The number as recorded: 0 x86, 5 ARM, 9 x64, 12 ARM64.</param>
/// <param name="ProcessorCount">Number of processors; 0 when not recorded.</param>
/// <param name="ProductType">1 workstation, 2 domain controller, 3 server.</param>
/// <param name="MajorVersion">Major version.</param>
/// <param name="MinorVersion">Minor version.</param>
/// <param name="Build">Build number.</param>
/// <param name="PlatformId">2 for Windows NT; Breakpad and Crashpad use 0x8000 and above for other systems.</param>
/// <param name="ServicePack">Service pack text (sanitised), empty when none.</param>
/// <param name="WineVersion">Wine's build text when the writer left its marker behind the structure, else null.</param>
public sealed record MinidumpSystemInfo(
    ProcessorArchitecture Architecture,
    ushort RawArchitecture,
    int ProcessorCount,
    byte ProductType,
    uint MajorVersion,
    uint MinorVersion,
    uint Build,
    uint PlatformId,
    string ServicePack,
    string? WineVersion);
