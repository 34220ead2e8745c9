using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Readers.Pe;

namespace Dump.Readers.Minidump;

/// <content>Memory and module lookup.</content>
public sealed partial class MinidumpFile
{
    private readonly FileBytes _file;
    private readonly MinidumpMemoryRange[] _ranges;
    private readonly ModuleSnapshot[] _modules;

    internal MinidumpFile(FileBytes file, ModuleSnapshot[] modules, MinidumpMemoryRange[] ranges, ReadLimits limits)
    {
        _file = file;
        _modules = modules;
        _ranges = ranges;
        _dynamicFunctions = new Lazy<DynamicFunction[]>(() => ReadDynamicFunctions(limits.MaxDynamicFunctions));
    }

    /// <summary>Saved memory, ordered by address, without overlaps.</summary>
    public IReadOnlyList<MinidumpMemoryRange> MemoryRanges => _ranges;

    /// <inheritdoc/>
    public IReadOnlyList<ModuleSnapshot> Modules => _modules;

    /// <summary>Size of the file in bytes.</summary>
    public long FileSize => _file.Length;

    /// <summary>Opens and reads a file.</summary>
    /// <param name="path">Path of the file.</param>
    /// <param name="limits">Limits on counts and sizes; null for the defaults.</param>
    /// <exception cref="InvalidDumpException">The file cannot be analysed.</exception>
    public static MinidumpFile Open(string path, ReadLimits? limits = null) =>
        Read(FileBytes.Open(path), SafeText.Clean(Path.GetFileName(path)), limits);

    /// <summary>Reads a file that is in memory already.</summary>
    /// <param name="bytes">The file's bytes.</param>
    /// <param name="limits">Limits on counts and sizes; null for the defaults.</param>
    /// <exception cref="InvalidDumpException">The file cannot be analysed.</exception>
    public static MinidumpFile FromBytes(ReadOnlyMemory<byte> bytes, ReadLimits? limits = null) =>
        Read(FileBytes.Wrap(bytes), "input", limits);

    /// <summary>
    /// Opens a process that stands still as the dump with all memory that it would be: what a small dump says of it, and its memory, read when it is asked for.
    /// </summary>
    /// <param name="name">What the process is called in messages.</param>
    /// <param name="description">A small dump of this moment, with the list of the memory that there is.</param>
    /// <param name="memory">Reads the process; what it gave once is not asked for again, unless it is much.</param>
    /// <param name="pages">What was read of the process at this moment before, which grows; null for nothing.</param>
    /// <param name="limits">Limits on counts and sizes; null for the defaults.</param>
    /// <exception cref="InvalidDumpException">The small dump cannot be analysed.</exception>
    public static MinidumpFile OpenProcess(string name, byte[] description, IMemory memory, ProcessPages? pages = null, ReadLimits? limits = null)
    {
        string clean = SafeText.Clean(name);
        return Read(ProcessDump.Of(clean, description, memory, pages ?? new ProcessPages(), limits ?? ReadLimits.Default), clean, limits);
    }

    /// <summary>The bytes of the file as a stream, for one reader at a time; not to be used after this object is disposed.</summary>
    public Stream AsStream() => new FileBytesStream(_file);

    /// <inheritdoc/>
    public ModuleSnapshot? Find(ulong address)
    {
        int last = SortedSearch.CountUpTo<ModuleSnapshot>(_modules, address, m => m.BaseAddress) - 1;
        return last >= 0 && _modules[last].Contains(address) ? _modules[last] : null;
    }

    /// <inheritdoc/>
    public int Read(ulong address, Span<byte> destination)
    {
        int done = 0;
        int index = FindRange(address);
        while (done < destination.Length && index >= 0 && index < _ranges.Length)
        {
            MinidumpMemoryRange range = _ranges[index];
            ulong at = unchecked(address + (ulong)done);
            if (at < range.Address || at - range.Address >= (ulong)range.Bytes.Size)
            {
                break;
            }

            long skip = (long)(at - range.Address);
            int count = (int)Math.Min(destination.Length - done, range.Bytes.Size - skip);
            done += _file.Read(range.Bytes.Offset + skip, destination.Slice(done, count));
            index++;
        }

        return done;
    }

    /// <inheritdoc/>
    public void Dispose() => _file.Dispose();

    private static MinidumpFile Read(FileBytes file, string name, ReadLimits? limits)
    {
        try
        {
            return MinidumpReader.Read(file, name, limits ?? ReadLimits.Default);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Index of the last range that begins at or below the address, or -1.</summary>
    private int FindRange(ulong address) => SortedSearch.CountUpTo<MinidumpMemoryRange>(_ranges, address, r => r.Address) - 1;
}
