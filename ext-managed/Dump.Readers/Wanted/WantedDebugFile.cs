using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux;
using Dump.Readers.Linux.Stacks;
using Dump.Readers.Minidump;

namespace Dump.Readers.Wanted;

/// <summary>The separate debug file of a Linux image that was stripped, or an image whose code a core lacks, by build id.</summary>
public sealed class WantedDebugFile
{
    internal WantedDebugFile(string module, string buildId, bool isImage)
    {
        Module = SafeText.Clean(module, 256);
        BuildId = buildId;
        IsImage = isImage;
    }

    /// <summary>Name of the image's file, cleaned.</summary>
    public string Module { get; }

    /// <summary>The build id, in lower-case hexadecimal digits.</summary>
    public string BuildId { get; }

    /// <summary>True for the image itself, false for its debug file.</summary>
    public bool IsImage { get; }

    /// <summary>True when a file is the one that is wanted, by the build id in it. Its bytes are read as data, and nothing of it is run.</summary>
    /// <param name="path">Path of the file.</param>
    /// <param name="reason">Why it is not, as a clause.</param>
    public bool Is(string path, out string? reason)
    {
        try
        {
            using FileBytes file = FileBytes.Open(path);
            string? found = ElfBuildId.Read(file);
            reason = found is null ? "it has no build id"
                : found != BuildId ? "it belongs to another build"
                : ElfSection.AreWhole(file) ? null
                : "it is not whole";
        }
        catch (InvalidDumpException)
        {
            reason = "it cannot be read";
        }

        return reason is null;
    }
}

/// <summary>The images and separate debug files that the native stacks of a Linux core would be walked and named with, and that are not here.</summary>
public static class WantedDebugFiles
{
    /// <summary>
    /// Finds them, for the images that frames without a name lie in. A stack ends where code is missing, so more may be wanted once these are here.
    /// </summary>
    /// <param name="core">The core.</param>
    /// <param name="store">Where such files are kept; null for the places of this machine.</param>
    /// <param name="imageDirectories">Directories that the user names for files of programs and libraries.</param>
    /// <returns>The files, images first; of a process whose native stacks are not walked there are none.</returns>
    public static IReadOnlyList<WantedDebugFile> Of(ElfCoreFile core, DebugFileStore? store = null, IReadOnlyList<string>? imageDirectories = null)
    {
        ProcessSnapshot snapshot = LinuxSnapshotReader.Read(core, "", null, imageDirectories);
        if (!NativeStacks.AreWalked(snapshot.Modules))
        {
            return [];
        }

        using ElfImages images = new(core, new ElfMappedFiles(core.MappedFiles), LinuxSnapshotReader.FilesOf(core, imageDirectories), store);
        return
        [
            .. snapshot.Threads.SelectMany(t => t.Stack.Frames.Select((f, i) => (Frame: f, Address: i == 0 ? f.InstructionPointer : f.InstructionPointer - 1)))
                .Where(f => f.Frame is { Function: null, Module: not null })
                .Select(f => Wanted(f.Frame.Module!, images.Find(f.Address)?.Image, f.Address)).OfType<WantedDebugFile>()
                .DistinctBy(f => (f.BuildId, f.IsImage)).OrderBy(f => !f.IsImage).ThenBy(f => f.Module, StringComparer.Ordinal),
        ];
    }

    private static WantedDebugFile? Wanted(string module, ElfImage? image, ulong address) =>
        image is not { BuildId: { } id } ? null
        : image.Read(address, stackalloc byte[1]) == 0 ? new WantedDebugFile(module, id, isImage: true)
        : image.SymbolFile is null ? new WantedDebugFile(module, id, isImage: false)
        : null;
}
