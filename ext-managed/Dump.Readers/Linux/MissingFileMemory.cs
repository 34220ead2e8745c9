using Dump.Model.Facts;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;

namespace Dump.Readers.Linux;

/// <summary>
/// Finds out that a core does not list its mapped files, or lacks the memory of mapped files, among it the .NET runtime's own code and data. Kernel and
/// gcore leave it out by default: bits 2 and 3 of /proc/PID/coredump_filter (core(5)) are not set in its default
/// 0x33. The kernel keeps the first page of each library. createdump chooses pages by itself and is not judged, except where
/// the runtime may lie inside of the program, which it does not know of.
/// </summary>
internal static class MissingFileMemory
{

    /// <summary>What is missing, or null when it is not, or the process has no .NET runtime.</summary>
    public static MissingData? Of(ElfCoreFile core)
    {
        if (core.MappedFiles.Count == 0)
        {
            return MissingData.Of(core.NotesAreCut ? MissingKind.NotesOfCore : MissingKind.MappedFileList);
        }

        if (!core.MappedFiles.Any(IsRuntime))
        {
            return OfProgram(core);
        }

        if (core.Writer == ElfCoreWriter.CreateDumpOrUnknown || core.MappedFiles.Where(IsRuntime).All(f => IsReadable(core, f.End - 1)))
        {
            return null;
        }

        return MissingData.Of(MissingKind.MappedFileMemory, detail: core.Writer == ElfCoreWriter.Debugger ? "gcore" : "the kernel");
    }

    /// <summary>
    /// A program in a single file exports where its runtime is in the pages that follow its first one (the same mapping: dynamic symbols come first).
    /// </summary>
    private static MissingData? OfProgram(ElfCoreFile core) =>
        core.ProgramHeadersAddress is not { } headers || core.MappedFiles.FirstOrDefault(f => headers >= f.Start && headers < f.End) is not { } program
            || IsReadable(core, program.End - 1)
            ? null
            : MissingData.Of(MissingKind.RuntimeInProgram);

    private static bool IsRuntime(ElfMappedFile file) => ClrLibrary.Is(file.Path);

    private static bool IsReadable(ElfCoreFile core, ulong address)
    {
        Span<byte> one = stackalloc byte[1];
        return core.Read(address, one) == 1;
    }
}
