using System.Globalization;
using Dump.Model.Process;
using Dump.Readers.Stores;

namespace Dump.Readers.Pe;

/// <summary>Finds image files by name, time stamp and size among files and in directories that the user or the debugger named, and only there.</summary>
/// <param name="directories">The directories in the order of search.</param>
/// <param name="stores">Finds files below them.</param>
/// <param name="named">Single files that are looked at first.</param>
internal sealed class ImageDirectories(IReadOnlyList<string> directories, StoreFiles stores, NamedFiles named)
{
    /// <summary>Opens the file of a module; null when no directory has a matching one.</summary>
    public PeImageFile? Open(ModuleSnapshot module)
    {
        if (!FileNames.IsPlain(module.Name))
        {
            return null;
        }

        string key = Key(module);
        return named.Of(module.Name).Concat(directories.SelectMany(directory => stores.Find(directory, module.Name, key)))
            .Select(path => OpenMatching(path, module)).FirstOrDefault(file => file is not null);
    }

    /// <summary>What a symbol store files an image under: the time stamp as eight digits, then the size of image, both hexadecimal.</summary>
    public static string Key(ModuleSnapshot module) => string.Create(CultureInfo.InvariantCulture, $"{module.TimeDateStamp:X8}{module.Size:x}");

    private static PeImageFile? OpenMatching(string path, ModuleSnapshot module)
    {
        PeImageFile? file = PeImageFile.Open(path);
        if (file is null || (file.Headers.TimeDateStamp == module.TimeDateStamp && file.Headers.SizeOfImage == module.Size))
        {
            return file;
        }

        file.Dispose();
        return null;
    }
}
