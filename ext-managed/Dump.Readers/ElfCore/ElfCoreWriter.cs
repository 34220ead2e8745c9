namespace Dump.Readers.ElfCore;

/// <summary>Who wrote a core, by the owners of its notes (seen in cores of .NET's createdump 3.1 to 10, gdb 13 and Linux 6.1).</summary>
public enum ElfCoreWriter
{
    /// <summary>No note of the kernel's or gdb's own: .NET's createdump, or something else.</summary>
    CreateDumpOrUnknown,

    /// <summary>gdb's <c>gcore</c>: a note with the owner GDB.</summary>
    Debugger,

    /// <summary>The kernel: notes with the owner LINUX, none with GDB.</summary>
    Kernel,
}
