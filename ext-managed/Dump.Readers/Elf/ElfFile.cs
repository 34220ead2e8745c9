using Dump.Readers.ElfCore;
using Dump.Readers.Files;
using Dump.Readers.Minidump;

namespace Dump.Readers.Elf;

/// <summary>Files of this machine that belong to an image.</summary>
internal static class ElfFile
{
    /// <summary>
    /// Opens a file of a build id, or any where it is known to be the right one. A file that a core names is whatever a stranger wrote there: only a regular one
    /// with the very build id is read, and nothing of it is run.
    /// </summary>
    /// <param name="path">Path of the file; one that is not absolute is none.</param>
    /// <param name="buildId">The build id, in lower-case hexadecimal digits; null for a file that is known to be the right one and has none.</param>
    /// <param name="owners">Whose files are opened; null for everybody's, where the user named the place.</param>
    /// <returns>The file; null when there is none, or it is of another build.</returns>
    public static FileBytes? Open(string path, string? buildId, FileOwners? owners = null)
    {
        // What is mapped and no file's has a name in brackets.
        if (!Path.IsPathRooted(path))
        {
            return null;
        }

        try
        {
            FileBytes file = FileBytes.Open(path, owners);
            if (buildId is null || ElfBuildId.Read(file) == buildId)
            {
                return file;
            }

            file.Dispose();
            return null;
        }
        catch (Exception error) when (error is InvalidDumpException or IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
