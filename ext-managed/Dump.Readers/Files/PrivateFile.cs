namespace Dump.Readers.Files;

/// <summary>Files with the secrets of a process: nobody but this user may read them, from their first byte on.</summary>
public static class PrivateFile
{
    private const UnixFileMode Mode = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>Makes a file, which must not be there yet, and opens it for writing.</summary>
    /// <param name="path">Its path; the directory must exist.</param>
    /// <param name="share">What others may do with it meanwhile.</param>
    /// <exception cref="IOException">It is there already, or cannot be made.</exception>
    /// <exception cref="UnauthorizedAccessException">The directory may not be written to.</exception>
    public static FileStream Create(string path, FileShare share = FileShare.None)
    {
        FileStreamOptions options = new() { Mode = FileMode.CreateNew, Access = FileAccess.Write, Share = share };
        if (!OperatingSystem.IsWindows())
        {
            options.UnixCreateMode = Mode;
        }

        return new FileStream(path, options);
    }
}
