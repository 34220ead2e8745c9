using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;

namespace Dump.Readers.Linux;

/// <summary>The modules of a Linux process: each file that is mapped into it.</summary>
internal static class LinuxModules
{
    /// <summary>Lists them by address.</summary>
    /// <param name="files">The mapped files.</param>
    /// <param name="images">What is loaded from them; null where the memory cannot be read, so that what they hold stays unknown.</param>
    public static ImmutableArray<ModuleSnapshot> Of(IReadOnlyList<ElfMappedFile> files, ElfImages? images)
    {
        // The runtime is in the process once: where its library is loaded, no program holds it.
        ElfImages? asked = files.Any(f => ClrLibrary.Is(f.Path)) ? null : images;
        return
        [
            .. files.GroupBy(f => f.Path, StringComparer.Ordinal)
                .Select(g => Module(g.Key, g.Min(f => f.Start), g.Max(f => f.End)) with
                {
                    HoldsDotNetRuntime = asked is null ? null : HoldsRuntime(g.Where(f => f.FileOffset == 0), asked),
                })
                .OrderBy(m => m.BaseAddress),
        ];
    }

    private static string Name(string path) => path == SystemLibrary.Path ? SystemLibrary.Name : ElfMappedFile.NameOf(path);

    private static ModuleSnapshot Module(string path, ulong start, ulong end)
    {
        bool isSystem = path.StartsWith("/lib", StringComparison.Ordinal) || path.StartsWith("/usr/lib", StringComparison.Ordinal)
            || path == SystemLibrary.Path;
        return new ModuleSnapshot(Name(path), path, start, end - start, 0, null, isSystem);
    }

    /// <summary>A program in a single file is mapped piece by piece besides, as its assemblies are loaded, and not in the order of the addresses.</summary>
    private static bool? HoldsRuntime(IEnumerable<ElfMappedFile> beginnings, ElfImages images)
    {
        ElfDynamicTables[] known = [.. beginnings.Select(f => images.Find(f.Start)?.Image.DynamicTables).OfType<ElfDynamicTables>()];
        return known.Length == 0 ? null : known.Any(t => t.AddressOf(SingleFileRuntimeLayout.Name) is not null);
    }
}
