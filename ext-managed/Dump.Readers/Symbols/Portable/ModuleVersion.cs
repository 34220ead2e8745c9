using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using Dump.Readers.Files;

namespace Dump.Readers.Symbols.Portable;

/// <summary>The id that compilers give each build of a module (MVID), and the version of its assembly.</summary>
public static class ModuleVersion
{
    private const int MostMetadata = 256 << 20;

    /// <summary>The id in the metadata of a file; null when it has none or cannot be read.</summary>
    /// <param name="path">Path of a regular file of this machine.</param>
    /// <param name="owners">Whose files are opened; null for everybody's.</param>
    public static Guid? OfFile(string path, FileOwners? owners = null)
    {
        try
        {
            using PEReader image = new(RegularFile.OpenRead(path, owners: owners));
            return Of(image);
        }
        catch (Exception error) when (
            error is BadImageFormatException or IOException or UnauthorizedAccessException or InvalidOperationException or OverflowException)
        {
            return null;
        }
    }

    /// <summary>The id in metadata in the memory of a process; null when they are not there or damaged.</summary>
    /// <param name="memory">The memory.</param>
    /// <param name="address">Where the metadata begin.</param>
    /// <param name="length">Their length in bytes.</param>
    public static Guid? InMemory(IMemory memory, ulong address, ulong length) => Read<Guid?>(memory, address, length, m => Of(m));

    /// <summary>The version of the assembly with these metadata; null when they are not there, damaged, or of no assembly.</summary>
    /// <param name="memory">The memory.</param>
    /// <param name="address">Where the metadata begin.</param>
    /// <param name="length">Their length in bytes.</param>
    public static Version? OfAssembly(IMemory memory, ulong address, ulong length) =>
        Read(memory, address, length, m => m.IsAssembly ? m.GetAssemblyDefinition().Version : null);

    private static unsafe T? Read<T>(IMemory memory, ulong address, ulong length, Func<MetadataReader, T?> read)
    {
        if (address == 0 || length is 0 or > MostMetadata || memory.ReadByte(address + length - 1) is null)
        {
            return default;
        }

        byte[] bytes = new byte[length];
        if (!memory.TryRead(address, bytes))
        {
            return default;
        }

        try
        {
            fixed (byte* start = bytes)
            {
                return read(new MetadataReader(start, bytes.Length));
            }
        }
        catch (Exception error) when (error is BadImageFormatException or InvalidOperationException or OverflowException)
        {
            return default;
        }
    }

    /// <summary>The id in the metadata of an image that is open; null when it has none.</summary>
    internal static Guid? Of(PEReader image) => image.HasMetadata ? Of(image.GetMetadataReader()) : null;

    private static Guid Of(MetadataReader reader) => reader.GetGuid(reader.GetModuleDefinition().Mvid);
}
