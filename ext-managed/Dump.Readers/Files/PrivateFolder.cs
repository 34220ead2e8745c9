namespace Dump.Readers.Files;

/// <summary>Folders for files with the secrets of a process, which stay when the program is killed: nobody but this user may look into them.</summary>
public static class PrivateFolder
{
    private const UnixFileMode Mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    /// <summary>Makes a folder with those above it; one that is there stays as it is. On Windows it has the rights of the folder that it lies in.</summary>
    /// <param name="path">Its path.</param>
    /// <exception cref="IOException">It cannot be made.</exception>
    /// <exception cref="UnauthorizedAccessException">Nothing may be made there.</exception>
    public static void Make(string path)
    {
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(path);
        }
        else
        {
            Directory.CreateDirectory(path, Mode);
        }
    }
}
