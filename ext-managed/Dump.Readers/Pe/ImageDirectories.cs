using System.Globalization;
using Dump.Model.Process;

namespace Dump.Readers.Pe;

/// <summary>Finds image files by name, time stamp and size in directories that the user named, and only there.</summary>
internal sealed class ImageDirectories(IReadOnlyList<string> directories)
{
    private readonly FileNames _names = new();

    /// <summary>Opens the file of a module; null when no directory has a matching one.</summary>
    public PeImageFile? Open(ModuleSnapshot module)
    {
        if (!FileNames.IsPlain(module.Name))
        {
            return null;
        }

        string key = string.Create(CultureInfo.InvariantCulture, $"{module.TimeDateStamp:X8}{module.Size:x}");
        foreach (string directory in directories)
        {
            PeImageFile? file = OpenMatching(_names.Find(directory, module.Name), module)
                ?? OpenMatching(_names.Find(directory, module.Name, key, module.Name), module);
            if (file is not null)
            {
                return file;
            }
        }

        return null;
    }

    private static PeImageFile? OpenMatching(string? path, ModuleSnapshot module)
    {
        PeImageFile? file = path is null ? null : PeImageFile.Open(path);
        if (file is null || (file.Headers.TimeDateStamp == module.TimeDateStamp && file.Headers.SizeOfImage == module.Size))
        {
            return file;
        }

        file.Dispose();
        return null;
    }
}
