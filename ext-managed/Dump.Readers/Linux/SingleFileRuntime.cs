using System.Text;
using Dump.Readers.ElfCore;
using Dump.Readers.Minidump;

namespace Dump.Readers.Linux;

/// <summary>The .NET runtime that lies inside a program published as a single file, as the program tells debuggers.</summary>
/// <param name="RuntimeBuildId">Build id of the same runtime's libcoreclr.so, lower-case hexadecimal digits.</param>
/// <param name="DataAccessBuildId">Build id of its data-access library, likewise.</param>
/// <param name="FileVersion">File version of the runtime, or null where the program does not tell it.</param>
public sealed record SingleFileRuntime(string RuntimeBuildId, string DataAccessBuildId, Version? FileVersion)
{
    /// <summary>Reads it from a program's file.</summary>
    /// <param name="path">Path of the file.</param>
    /// <returns>The runtime; null when the file cannot be read or has none inside.</returns>
    public static SingleFileRuntime? Read(string path)
    {
        try
        {
            using FileBytes file = FileBytes.Open(path);
            return Read(file);
        }
        catch (InvalidDumpException)
        {
            return null;
        }
    }

    /// <summary>Reads it from a program's bytes.</summary>
    internal static SingleFileRuntime? Read(FileBytes file)
    {
        if (ElfExports.Find(file, SingleFileRuntimeLayout.Name) is not { } at || !HasSignature(file, at)
            || file.ReadUInt32(at + SingleFileRuntimeLayout.StructureVersion) is not { } version
            || Index(file, at + SingleFileRuntimeLayout.RuntimeIndex) is not { } runtime
            || Index(file, at + SingleFileRuntimeLayout.DataAccessIndex) is not { } dataAccess)
        {
            return null;
        }

        return new SingleFileRuntime(runtime, dataAccess,
            version is >= SingleFileRuntimeLayout.FirstWithRuntimeVersion and <= SingleFileRuntimeLayout.LastKnown
                ? FileVersionAt(file, at + SingleFileRuntimeLayout.RuntimeVersion)
                : null);
    }

    private static bool HasSignature(FileBytes file, long at)
    {
        byte[] bytes = new byte[SingleFileRuntimeLayout.Name.Length + 1];
        return file.Read(at, bytes) == bytes.Length && bytes.AsSpan().SequenceEqual(Encoding.ASCII.GetBytes(SingleFileRuntimeLayout.Name + '\0'));
    }

    private static string? Index(FileBytes file, long at)
    {
        byte[] index = new byte[SingleFileRuntimeLayout.IndexSize];
        return file.Read(at, index) == index.Length && index[0] is > 0 and < SingleFileRuntimeLayout.IndexSize
            ? Convert.ToHexStringLower(index.AsSpan(1, index[0]))
            : null;
    }

    private static Version? FileVersionAt(FileBytes file, long at)
    {
        int[] parts = [.. Enumerable.Range(0, SingleFileRuntimeLayout.RuntimeVersionParts).Select(i => (int)(file.ReadUInt32(at + i * 4L) ?? uint.MaxValue))];
        return parts.All(p => p is >= 0 and <= ushort.MaxValue) ? new Version(parts[0], parts[1], parts[2], parts[3]) : null;
    }
}

/// <summary>
/// Offsets inside the object that a program with the .NET runtime inside exports as <c>DotNetRuntimeInfo</c>. Source: dotnet/runtime,
/// src/coreclr/debug/runtimeinfo/runtimeinfo.h (struct RuntimeInfo; the runtime's version follows where the structure's own version is 2 or more) and
/// the header that the build makes beside it: an index is a length followed by that many bytes of the module's build id. Seen in singlefilehost of .NET 8, 9, 10.
/// </summary>
internal static class SingleFileRuntimeLayout
{
    /// <summary>Name of the exported object, and its first bytes.</summary>
    public const string Name = "DotNetRuntimeInfo";

    public const int StructureVersion = 20;
    public const int RuntimeIndex = 24;
    public const int DataAccessIndex = 48;
    public const int IndexSize = 24;
    public const int RuntimeVersion = 96;
    public const int RuntimeVersionParts = 4;
    public const uint FirstWithRuntimeVersion = 2;
    public const uint LastKnown = 2;
}
