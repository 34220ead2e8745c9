using System.Collections.Immutable;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Files;
using Dump.Readers.Linux.Locks;

namespace Dump.Readers.Linux;

/// <summary>
/// A core of a .NET process in a container that a debugger wrote outside of it: its threads have the ids that are known there, and the runtime knows them by
/// others. Those stand in the descriptors that the C library keeps of all threads.
/// </summary>
/// <param name="Threads">The threads by their ids inside of the container.</param>
/// <param name="Changes">Bytes of the file that differ then, by their places.</param>
public sealed record ContainerCore(ImmutableArray<ElfThread> Threads, ImmutableArray<(long Place, uint Id)> Changes)
{

    /// <summary>Reads them.</summary>
    /// <param name="core">The core.</param>
    /// <param name="imageDirectories">Directories that the user names for files of programs and libraries.</param>
    /// <returns>The threads; null for a core of another writer or program, and where not each thread is known by another id inside.</returns>
    public static ContainerCore? Of(ElfCoreFile core, IReadOnlyList<string>? imageDirectories = null)
    {
        if (core.Writer != ElfCoreWriter.Debugger || core.Threads.Count < 2
            || !(core.MappedFiles.Any(f => ClrLibrary.Is(f.Path)) || ProgramHoldsRuntime(core, imageDirectories)))
        {
            return null;
        }

        ThreadDescriptors descriptors = new(core, core.Threads);
        Dictionary<int, uint> ids = descriptors.ByOwnId.ToDictionary(d => d.Value.Index, d => d.Key);
        return !descriptors.AreComplete || core.Threads.Any(t => ids[t.Index] == t.Id) ? null
            : new ContainerCore(
                [.. core.Threads.Select(t => t with { Id = ids[t.Index] })], [.. core.Threads.Select(t => (core.ThreadIdPlaces[t.Index], ids[t.Index]))]);
    }

    /// <summary>True for a program in a single file, as the program itself exports; its symbols are in the core or in its file.</summary>
    private static bool ProgramHoldsRuntime(ElfCoreFile core, IReadOnlyList<string>? imageDirectories)
    {
        using ElfImages images = new(core, new ElfMappedFiles(core.MappedFiles), LinuxSnapshotReader.FilesOf(core, imageDirectories));
        return core.ProgramHeadersAddress is { } headers
            && images.Find(headers)?.Image.DynamicTables?.AddressOf(SingleFileRuntimeLayout.Name) is not null;
    }

    /// <summary>The bytes of the core with the ids inside of the container.</summary>
    /// <param name="path">Path of the core.</param>
    public Stream Open(string path) => new ChangedBytesStream(RegularFile.OpenRead(path), [.. Changes.OrderBy(c => c.Place)]);
}
