namespace Dump.Readers.Linux.Waits;

/// <summary>The families of file locks on Linux (flock(2), fcntl(2)).</summary>
internal enum FileLockKind
{
    /// <summary>Of <c>flock</c>: of the whole file, held by an open file description. It conflicts with its own kind only.</summary>
    Whole,

    /// <summary>Of <c>fcntl</c>: of bytes, held by a process.</summary>
    Process,

    /// <summary>Of <c>fcntl</c>: of bytes, held by an open file description.</summary>
    OpenFile,
}
