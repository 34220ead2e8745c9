namespace Dump.Readers.ElfCore;

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
