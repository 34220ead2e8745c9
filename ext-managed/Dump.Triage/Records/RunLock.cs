using Dump.Readers.Files;

namespace Dump.Triage.Records;

/// <summary>
/// Keeps two runs from writing to the same folder: one run for all dumps excludes every other, runs for parts
/// of them exclude only a second one for the same part. It goes with the process.
/// </summary>
internal sealed class RunLock : IDisposable
{
    /// <summary>Name of the lock of all, and the beginning of those of parts.</summary>
    public const string Name = ".lock";

    private readonly List<FileStream> _held = [];
    private OpenFolder? _folder;

    private RunLock()
    {
    }

    /// <summary>The folder that is locked, as long as this is held; null elsewhere than on Linux.</summary>
    public OpenFolder? Folder => _folder;

    /// <summary>Takes it.</summary>
    /// <param name="output">Folder of the records, which exists.</param>
    /// <param name="shard">The part of the dumps, or null for all.</param>
    /// <param name="name">Name of the file that is locked, and the beginning of those of parts.</param>
    /// <exception cref="OutputInUseException">Another run has it.</exception>
    /// <exception cref="UnusableOutputException">The folder cannot be written to.</exception>
    public static RunLock Take(string output, Shard? shard, string name = Name)
    {
        RunLock held = new();
        try
        {
            held._folder = OpenFolder.Open(output);
            if (shard is null)
            {
                held.Add(output, name, FileAccess.ReadWrite, FileShare.None);
            }
            else
            {
                // Read sharing is a shared lock, which many may hold at a time.
                held.Add(output, name, FileAccess.Read, FileShare.Read);
                held.Add(output, $"{name}-{shard.FileNamePart}", FileAccess.ReadWrite, FileShare.None);
            }

            return held;
        }
        catch (UnauthorizedAccessException error)
        {
            held.Dispose();
            throw new UnusableOutputException(output, "it may not be written to", error);
        }
        catch (IrregularFileException error)
        {
            // Whoever may write there could have planted a link, and what it leads to would be made or opened.
            held.Dispose();
            throw new UnusableOutputException(output, error.Message, error);
        }
        catch (IOException error) when (error is not (DirectoryNotFoundException or FileNotFoundException))
        {
            held.Dispose();
            throw new OutputInUseException("another run is writing to this folder; wait for it, or give another --out");
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _held.ForEach(f => f.Dispose());
        _folder?.Dispose();
    }

    /// <summary>True when another run has a lock; false also where nobody can tell.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="name">Name of the file that is locked.</param>
    public static bool IsTaken(string folder, string name)
    {
        if (!File.Exists(Path.Combine(folder, name)))
        {
            return false;
        }

        try
        {
            using OpenFolder? opened = OpenFolder.Open(folder);
            Opened(opened, folder, name, makes: false, FileAccess.ReadWrite, FileShare.None).Dispose();
            return false;
        }
        catch (Exception error) when (error is UnauthorizedAccessException or IrregularFileException)
        {
            // Whoever may not write there cannot ask, and a link is no lock.
            return false;
        }
        catch (IOException)
        {
            return File.Exists(Path.Combine(folder, name));
        }
    }

    private void Add(string output, string name, FileAccess access, FileShare share) => _held.Add(Opened(_folder, output, name, makes: true, access, share));

    private static FileStream Opened(OpenFolder? opened, string folder, string name, bool makes, FileAccess access, FileShare share) =>
        opened?.Lock(name, makes, access, share) ?? new FileStream(Path.Combine(folder, name), makes ? FileMode.OpenOrCreate : FileMode.Open, access, share);
}

/// <summary>Another run is writing to the same folder.</summary>
/// <param name="message">Which, and what to do.</param>
public sealed class OutputInUseException(string message) : Exception(message);

/// <summary>Nothing can be written to the folder that was named for the records, so the run has not begun.</summary>
/// <param name="folder">The folder as it was given.</param>
/// <param name="message">Why, as a clause.</param>
/// <param name="inner">The cause.</param>
public sealed class UnusableOutputException(string folder, string message, Exception inner) : Exception(message, inner)
{
    /// <summary>The folder as it was given.</summary>
    public string Folder { get; } = folder;
}
