using System.Globalization;
using Dump.Model.Process;

namespace Dump.Readers.Pe;

/// <summary>Finds image files by name, time stamp and size among files and in directories that the user or the debugger named, and only there.</summary>
internal sealed class ImageDirectories(IReadOnlyList<string> directories, NamedFiles files)
{
    private readonly FileNames _names = new();

    /// <summary>Opens the file of a module; null when no directory has a matching one.</summary>
    public PeImageFile? Open(ModuleSnapshot module)
    {
        if (!FileNames.IsPlain(module.Name))
        {
            return null;
        }

        if (files.Of(module.Name).Select(f => OpenMatching(f, module)).FirstOrDefault(f => f is not null) is { } named)
        {
            return named;
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
