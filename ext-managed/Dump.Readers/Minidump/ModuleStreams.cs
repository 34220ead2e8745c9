using System.Globalization;

namespace Dump.Readers.Minidump;

/// <summary>Reads ModuleList and UnloadedModuleList.</summary>
internal static class ModuleStreams
{
    public static List<MinidumpModule> ReadModules(StreamReader reader, MinidumpStream stream)
    {
        if (ListStart.Read(reader, "ModuleList", stream, MinidumpLayout.ModuleSize, reader.Limits.MaxModules) is not var (offset, count))
        {
            return [];
        }

        List<MinidumpModule> modules = new(count);
        for (int i = 0; i < count; i++)
        {
            modules.Add(ReadModule(reader, offset + (long)i * MinidumpLayout.ModuleSize));
        }

        return modules;
    }

    public static List<MinidumpUnloadedModule>? ReadUnloaded(StreamReader reader, MinidumpStream stream)
    {
        const string Name = "UnloadedModuleList";
        if (ListStart.ReadWithHeader(
            reader, Name, stream, MinidumpLayout.UnloadedHeaderSize, MinidumpLayout.UnloadedSize, isCount64: false,
            reader.Limits.MaxModules) is not var (offset, size, count))
        {
            return null;
        }

        List<MinidumpUnloadedModule> modules = new(count);
        for (int i = 0; i < count; i++)
        {
            long at = offset + (long)i * size;
            modules.Add(new MinidumpUnloadedModule(
                reader.UInt64(Name, at), reader.UInt32(Name, at + 8), reader.UInt32(Name, at + 12), reader.UInt32(Name, at + 16),
                reader.String(Name, reader.UInt32(Name, at + 20)) ?? ""));
        }

        return modules;
    }

    private static MinidumpModule ReadModule(StreamReader reader, long at)
    {
        const string Name = "ModuleList";
        FileRange codeView = new(
            reader.UInt32(Name, at + MinidumpLayout.ModuleCodeViewRva),
            reader.UInt32(Name, at + MinidumpLayout.ModuleCodeViewSize));
        (string? pdbName, Guid? guid, uint? age) = ReadCodeView(reader, codeView);
        return new MinidumpModule(
            reader.UInt64(Name, at),
            reader.UInt32(Name, at + MinidumpLayout.ModuleImageSize),
            reader.UInt32(Name, at + MinidumpLayout.ModuleCheckSum),
            reader.UInt32(Name, at + MinidumpLayout.ModuleTimeDateStamp),
            reader.String(Name, reader.UInt32(Name, at + MinidumpLayout.ModuleName)) ?? "",
            ReadVersion(reader, at + MinidumpLayout.ModuleVersion),
            pdbName,
            guid,
            age);
    }

    private static string? ReadVersion(StreamReader reader, long at)
    {
        if (reader.File.ReadUInt32(at + MinidumpLayout.ModuleVersionSignature) != MinidumpLayout.VersionSignature
            || reader.File.ReadUInt32(at + MinidumpLayout.ModuleVersionHigh) is not { } high
            || reader.File.ReadUInt32(at + MinidumpLayout.ModuleVersionLow) is not { } low)
        {
            return null;
        }

        return string.Create(CultureInfo.InvariantCulture, $"{high >> 16}.{high & 0xFFFF}.{low >> 16}.{low & 0xFFFF}");
    }

    private static (string? Name, Guid? Guid, uint? Age) ReadCodeView(StreamReader reader, FileRange range)
    {
        if (range.Size < MinidumpLayout.CodeViewName || reader.File.ReadUInt32(range.Offset) != MinidumpLayout.CodeViewRsds)
        {
            return default;
        }

        Span<byte> guid = stackalloc byte[16];
        if (reader.File.Read(range.Offset + MinidumpLayout.CodeViewGuid, guid) != guid.Length
            || reader.File.ReadUInt32(range.Offset + MinidumpLayout.CodeViewAge) is not { } age)
        {
            return default;
        }

        string? name = reader.Utf8(
            "ModuleList", range.Offset + MinidumpLayout.CodeViewName, (ulong)(range.Size - MinidumpLayout.CodeViewName), allowLineBreaks: false);
        return (name, new Guid(guid), age);
    }
}

/// <summary>An entry of the ModuleList stream.</summary>
/// <param name="BaseAddress">Load address.</param>
/// <param name="Size">Size of the image.</param>
/// <param name="CheckSum">PE checksum.</param>
/// <param name="TimeDateStamp">PE link time stamp.</param>
/// <param name="Path">Path as recorded (sanitised).</param>
/// <param name="FileVersion">File version such as <c>10.0.19041.1</c>, or null when the version record is absent.</param>
/// <param name="PdbName">PDB path of the CodeView record (sanitised), or null.</param>
/// <param name="PdbGuid">PDB GUID of an RSDS record, or null.</param>
/// <param name="PdbAge">PDB age, or null.</param>
public sealed record MinidumpModule(
    ulong BaseAddress,
    uint Size,
    uint CheckSum,
    uint TimeDateStamp,
    string Path,
    string? FileVersion,
    string? PdbName,
    Guid? PdbGuid,
    uint? PdbAge);

/// <summary>An entry of the UnloadedModuleList stream.</summary>
/// <param name="BaseAddress">Former load address.</param>
/// <param name="Size">Size of the image.</param>
/// <param name="CheckSum">PE checksum.</param>
/// <param name="TimeDateStamp">PE link time stamp.</param>
/// <param name="Name">Name (sanitised).</param>
public sealed record MinidumpUnloadedModule(ulong BaseAddress, uint Size, uint CheckSum, uint TimeDateStamp, string Name);
