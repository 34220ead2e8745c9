using System.Collections.Immutable;
using System.Reflection.PortableExecutable;
using Dump.Readers.Files;
using Dump.Readers.Stores;

namespace Dump.Readers.Symbols.Portable;

/// <summary>The file of a managed module, read as data: for what dumps leave out of it.</summary>
public sealed class ModuleFile
{
    private const long Largest = 64 << 20;
    private readonly PEReader _image;

    private ModuleFile(PEReader image) => _image = image;

    /// <summary>Opens the file that a process has loaded.</summary>
    /// <param name="files">Where the files of the process lie, and whose are opened.</param>
    /// <param name="path">Its path as the process names it.</param>
    /// <param name="version">The id of the module in the process (MVID).</param>
    /// <returns>The file; null when there is none, it is another build, too large, or not to be read.</returns>
    public static ModuleFile? Open(ProcessFiles files, string path, Guid version)
    {
        try
        {
            if (files.Existing(path) is not { } place)
            {
                return null;
            }

            using FileStream file = RegularFile.OpenRead(place, owners: files.Owners);
            PEReader image = file.Length > Largest ? throw new IOException() : new PEReader(file, PEStreamOptions.PrefetchEntireImage);
            return ModuleVersion.Of(image) == version ? new ModuleFile(image) : null;
        }
        catch (Exception error) when (error is BadImageFormatException or IOException or UnauthorizedAccessException or InvalidOperationException or OverflowException)
        {
            return null;
        }
    }

    /// <summary>What lies at an address of the module, up to the end of its section.</summary>
    /// <param name="address">Bytes from the module's beginning in memory.</param>
    /// <param name="most">The most bytes that are wanted.</param>
    /// <returns>The bytes; none where the module has nothing there.</returns>
    public ImmutableArray<byte> At(int address, int most) =>
        _image.GetSectionData(address) is { Length: > 0 } data ? data.GetContent(0, Math.Min(most, data.Length)) : [];
}
