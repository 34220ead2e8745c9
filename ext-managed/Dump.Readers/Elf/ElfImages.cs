using System.Collections.Concurrent;
using Dump.Model.Process;
using Dump.Readers.ElfCore;

namespace Dump.Readers.Elf;

/// <summary>The programs and libraries that are loaded into a Linux process, by address. Safe for concurrent use.</summary>
internal sealed class ElfImages : IDisposable
{
    private readonly IMemory _memory;
    private readonly ElfMappedFiles _files;
    private readonly ImageFiles _found;
    private readonly DebugFileStore _store;
    private readonly ConcurrentDictionary<ulong, Lazy<LoadedImage?>> _images = new();
    private readonly Dictionary<string, ulong[]> _bases;

    /// <summary>Of a process.</summary>
    /// <param name="memory">Its memory.</param>
    /// <param name="files">Its mapped files.</param>
    /// <param name="found">Where those are found here; null for where the process has them, whoever owns them.</param>
    /// <param name="store">Where debug files and images are kept by build id; null for the places of this machine.</param>
    public ElfImages(IMemory memory, ElfMappedFiles files, ImageFiles? found = null, DebugFileStore? store = null)
    {
        _memory = memory;
        _store = store ?? DebugFileStore.OfThisMachine;
        _files = files;
        _found = found ?? new ImageFiles();
        _bases = files.Beginnings.GroupBy(f => f.Path, StringComparer.Ordinal)
            .ToDictionary(g => g.Key, g => g.Select(f => f.Start).ToArray(), StringComparer.Ordinal);
    }

    /// <summary>The image that holds an address, or null.</summary>
    public LoadedImage? Find(ulong address)
    {
        // A library may be loaded twice; the mapping that begins the file last before the address is its own.
        if (_files.Find(address) is not { } file || !_bases.TryGetValue(file.Path, out ulong[]? bases))
        {
            return null;
        }

        int place = Array.BinarySearch(bases, address);
        if ((place >= 0 ? place : ~place - 1) is not (>= 0 and var last) || bases[last] is not (> 0 and var start))
        {
            return null;
        }

        return _images.GetOrAdd(start, key => new Lazy<LoadedImage?>(() =>
            ElfImage.Read(_memory, key, id => _found.Open(file.Path, id) ?? (id is null ? null : _store.OpenImage(id)), _store.OpenDebugFile) is { } image
                ? new LoadedImage(image) : null)).Value;
    }

    /// <summary>Files that the process names and that were not opened, as one line; null when there are none.</summary>
    public ReaderProblem? Problem => _found.Problem;

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (Lazy<LoadedImage?> image in _images.Values.Where(i => i.IsValueCreated))
        {
            image.Value?.Image.Dispose();
        }
    }
}
