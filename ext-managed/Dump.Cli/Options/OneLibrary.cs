using Dump.Clr.Runtimes;
using Dump.Readers.Elf;

namespace Dump.Cli.Options;

/// <summary>Holds a process that reads one dump after the other to dumps of one data-access library.</summary>
internal static class OneLibrary
{
    private const string WindowsRuntime = "coreclr.dll";

    /// <summary>The gate of this process; null, as in every process that reads one dump, when any library may come.</summary>
    public static LibraryGate? Gate { get; set; }

    /// <summary>Ends the reading of a core early that another process is to read.</summary>
    /// <param name="files">The files that it maps.</param>
    /// <exception cref="OtherLibraryException">It has no runtime in a file, and this process has loaded a library.</exception>
    public static void OfCore(IEnumerable<string> files)
    {
        if (Gate is { Loaded.Length: > 0 } gate && !files.Any(ClrLibrary.Is))
        {
            gate.PassBy();
        }
    }

    /// <summary>Ends the reading of a Windows dump early that another process is to read.</summary>
    /// <param name="modules">File names of its modules.</param>
    /// <exception cref="OtherLibraryException">No library reads it here, and this process has loaded one.</exception>
    public static void OfMinidump(IEnumerable<string> modules)
    {
        if (Gate is { Loaded.Length: > 0 } gate
            && (!OperatingSystem.IsWindows() || !modules.Any(m => string.Equals(m, WindowsRuntime, StringComparison.OrdinalIgnoreCase))))
        {
            gate.PassBy();
        }
    }
}
