using System.Collections.Concurrent;
using Dump.Model.Process;
using Dump.Readers.Stores;

namespace Dump.Readers.Pe;

/// <summary>
/// The images of a process's modules. They are read from the dump's memory and, where that lacks them, from files in the directories that the user named.
/// A file is taken only when its time stamp and size of image are those that the dump records. Safe for concurrent use.
/// </summary>
public sealed class PeImages : IDisposable
{
    private readonly IMemory _memory;
    private readonly IModuleMap _modules;
    private readonly ImageDirectories _directories;
    private readonly StoreFiles? _ownFiles;
    private readonly int _maxImages;
    private readonly ConcurrentDictionary<ulong, Lazy<Entry>> _images = new();
    private readonly ConcurrentQueue<ReaderProblem> _problems = new();

    /// <summary>Creates the set; nothing is read yet.</summary>
    /// <param name="memory">Memory of the process; must outlive this object.</param>
    /// <param name="modules">Its modules.</param>
    /// <param name="imageDirectories">Directories with image files by name, or laid out as a symbol store
    /// (<c>file/time stamp and size/file</c>); null for none.</param>
    /// <param name="limits">Limits; null for the defaults.</param>
    /// <param name="stores">Finds files below the directories; must outlive this object. Null for one of its own.</param>
    /// <param name="files">Single files that are looked at first; null for none.</param>
    public PeImages(
        IMemory memory, IModuleMap modules, IReadOnlyList<string>? imageDirectories = null, ReadLimits? limits = null, StoreFiles? stores = null,
        NamedFiles? files = null)
    {
        _memory = memory;
        _modules = modules;
        _ownFiles = stores is null ? new StoreFiles() : null;
        _directories = new ImageDirectories(imageDirectories ?? [], stores ?? _ownFiles!, files ?? NamedFiles.None);
        _maxImages = (limits ?? ReadLimits.Default).MaxModules;
    }

    /// <summary>What is wrong with the images read so far, ordered by address.</summary>
    public IReadOnlyList<ReaderProblem> Problems =>
        [.. _problems.OrderBy(problem => problem.Offset).ThenBy(problem => problem.Message, StringComparer.Ordinal)];

    /// <summary>The image of a module; null when neither memory nor a matching file has its headers.</summary>
    public PeImage? Find(ModuleSnapshot module)
    {
        if (_images.Count >= _maxImages)
        {
            return _images.TryGetValue(module.BaseAddress, out Lazy<Entry>? known) ? known.Value.Image : null;
        }

        return _images.GetOrAdd(module.BaseAddress, static (_, state) => new Lazy<Entry>(() => state.Images.Open(state.Module)),
            (Images: this, Module: module)).Value.Image;
    }

    /// <summary>True when the absolute address lies in a module, whether or not its image can be read.</summary>
    public bool IsInModule(ulong address) => _modules.Find(address) is not null;

    /// <summary>The image that contains an absolute address, with the address relative to it; null when there is none.</summary>
    public PeImage? Find(ulong address, out uint rva)
    {
        rva = 0;
        if (_modules.Find(address) is not { } module || address - module.BaseAddress > uint.MaxValue)
        {
            return null;
        }

        rva = (uint)(address - module.BaseAddress);
        return Find(module);
    }

    /// <summary>Closes the image files. Images read afterwards see the dump's memory only.</summary>
    public void Dispose()
    {
        foreach (Lazy<Entry> entry in _images.Values)
        {
            if (entry.IsValueCreated)
            {
                entry.Value.File?.Dispose();
            }
        }

        _ownFiles?.Dispose();
    }

    private Entry Open(ModuleSnapshot module)
    {
        PeImageFile? file = _directories.Open(module);
        PeHeaders? inMemory = PeHeaders.Read((offset, destination) =>
            offset < module.Size
            && (ulong)destination.Length <= module.Size - offset
            && module.BaseAddress <= ulong.MaxValue - module.Size
            && _memory.TryRead(module.BaseAddress + offset, destination));
        if ((inMemory ?? file?.Headers) is not { } headers)
        {
            return default;
        }

        PeImage image = new(module, _memory, headers, file);
        if (inMemory is not null && inMemory.SizeOfImage != module.Size)
        {
            _problems.Enqueue(new ReaderProblem(
                "Image", $"{module.Name}: the headers in memory give another size of image than the module list.", module.BaseAddress) { LosesFacts = false });
        }

        return new Entry(image, file);
    }

    private readonly record struct Entry(PeImage? Image, PeImageFile? File);
}
