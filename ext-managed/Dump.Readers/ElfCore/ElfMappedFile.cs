namespace Dump.Readers.ElfCore;

/// <summary>A file mapping, from NT_FILE. createdump and kernels write this note.</summary>
/// <param name="Start">First address.</param>
/// <param name="End">Address behind the last byte.</param>
/// <param name="FileOffset">Offset in the file, bytes.</param>
/// <param name="Path">The file (sanitised).</param>
public sealed record ElfMappedFile(ulong Start, ulong End, ulong FileOffset, string Path)
{
    private const string Deleted = " (deleted)";

    /// <summary>The name in a path; of a file that was deleted or replaced while it is mapped the one that it had.</summary>
    /// <param name="path">The path, as the system lists what a process has mapped.</param>
    public static string NameOf(string path)
    {
        string whole = IsGone(path) ? path[..^Deleted.Length] : path;
        return whole[(whole.LastIndexOf('/') + 1)..];
    }

    /// <summary>True for a file that was deleted or replaced while it is mapped or run (proc_pid_maps(5), proc_pid_exe(5)).</summary>
    /// <param name="path">The path, as the system lists what a process has mapped.</param>
    public static bool IsGone(string path) => path.EndsWith(Deleted, StringComparison.Ordinal);
}
