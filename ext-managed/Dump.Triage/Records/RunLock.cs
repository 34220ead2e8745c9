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

    private RunLock()
    {
    }

    /// <summary>Takes it.</summary>
    /// <param name="output">Folder of the records, which exists.</param>
    /// <param name="shard">The part of the dumps, or null for all.</param>
    /// <param name="name">Name of the file that is locked, and the beginning of those of parts.</param>
    /// <exception cref="OutputInUseException">Another run has it.</exception>
    /// <exception cref="UnusableOutputException">The folder cannot be written to.</exception>
    public static RunLock Take(string output, Shard? shard, string name = Name)
    {
        RunLock held = new();
        string path = Path.Combine(output, name);
        try
        {
            if (shard is null)
            {
                held._held.Add(new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None));
            }
            else
            {
                // Read sharing is a shared lock, which many may hold at a time.
                held._held.Add(new FileStream(path, FileMode.OpenOrCreate, FileAccess.Read, FileShare.Read));
                held._held.Add(new FileStream($"{path}-{shard.FileNamePart}", FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None));
            }

            return held;
        }
        catch (UnauthorizedAccessException error)
        {
            held.Dispose();
            throw new UnusableOutputException(output, "it may not be written to", error);
        }
        catch (IOException error) when (error is not (DirectoryNotFoundException or FileNotFoundException))
        {
            held.Dispose();
            throw new OutputInUseException("another run is writing to this folder; wait for it, or give another --out");
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _held.ForEach(f => f.Dispose());
}
