using Dump.Readers.Files;

namespace Dump.Cli.Watching;

/// <summary>
/// The folder of a capture that is being made, which nobody but this user can look into. Goes away when it is disposed, unless it was moved to its place.
/// </summary>
internal sealed class PendingCapture : IDisposable
{
    private readonly string _folder;
    private readonly string _lockName;
    private readonly FileStream _lock;
    private readonly List<string> _dumps = [];
    private bool _isMoved;

    /// <summary>Makes it.</summary>
    /// <param name="folder">The folder, which must not be there.</param>
    /// <param name="lockName">Name of the file in it that is open while it is being made.</param>
    /// <exception cref="IOException">It cannot be made.</exception>
    /// <exception cref="UnauthorizedAccessException">Nothing may be made there.</exception>
    public PendingCapture(string folder, string lockName)
    {
        (_folder, _lockName) = (folder, lockName);
        PrivateFolder.Make(folder);
        _lock = PrivateFile.Create(PathOf(lockName));
    }

    /// <summary>Names of its dumps.</summary>
    public IReadOnlyList<string> Dumps => _dumps;

    /// <summary>The path of a file in it.</summary>
    public string PathOf(string name) => Path.Combine(_folder, name);

    /// <summary>Notes a dump, where it was written.</summary>
    public void AddDump(string name)
    {
        if (File.Exists(PathOf(name)))
        {
            _dumps.Add(name);
        }
    }

    /// <summary>Writes a file of it.</summary>
    /// <exception cref="IOException">It cannot be written.</exception>
    public void Write(string name, ReadOnlySpan<byte> content)
    {
        using FileStream file = PrivateFile.Create(PathOf(name));
        file.Write(content);
    }

    /// <summary>Puts it in its place.</summary>
    /// <exception cref="IOException">It cannot be moved.</exception>
    public void MoveTo(string place)
    {
        // Windows moves no folder with an open file in it; without its lock nobody takes it for abandoned, as one that has just been begun.
        if (OperatingSystem.IsWindows())
        {
            _lock.Dispose();
            File.Delete(PathOf(_lockName));
        }

        // Elsewhere the lock goes last: without one nobody would know whether the folder is somebody's.
        Directory.Move(_folder, place);
        _isMoved = true;
        _lock.Dispose();
        File.Delete(Path.Combine(place, _lockName));
    }

    /// <summary>Removes one that a killed watch has left: nobody holds its lock.</summary>
    public static void RemoveAbandoned(string folder, string lockName)
    {
        try
        {
            // Without its file it has just been begun, or nothing is in it.
            using (new FileStream(Path.Combine(folder, lockName), FileMode.Open, FileAccess.Write, FileShare.None))
            {
            }

            Directory.Delete(folder, recursive: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // Another watch is at work there, or it is another user's.
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_isMoved)
        {
            return;
        }

        _lock.Dispose();
        try
        {
            Directory.Delete(_folder, recursive: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            // The next watch tries again.
        }
    }
}
