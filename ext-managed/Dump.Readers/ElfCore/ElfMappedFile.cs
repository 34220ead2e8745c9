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

/// <summary>The mapped files of a process by address.</summary>
/// <param name="files">The files, in any order.</param>
internal sealed class ElfMappedFiles(IEnumerable<ElfMappedFile> files)
{
    private readonly ElfMappedFile[] _files = [.. files.OrderBy(f => f.Start)];

    /// <summary>The mappings that begin a file, which for a program or library hold its header, in the order of their addresses.</summary>
    public IEnumerable<ElfMappedFile> Beginnings => _files.Where(f => f.FileOffset == 0);

    /// <summary>The mapping that holds an address, or null.</summary>
    /// <param name="address">The address.</param>
    public ElfMappedFile? Find(ulong address)
    {
        int last = SortedSearch.CountUpTo<ElfMappedFile>(_files, address, f => f.Start) - 1;
        return last >= 0 && address < _files[last].End ? _files[last] : null;
    }
}
