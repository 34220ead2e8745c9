using Dump.Clr.Runtimes;
using Dump.Model.Process;

namespace Dump.Clr;

/// <summary>.NET runtimes in Windows dumps that are read on another system.</summary>
public static class WindowsRuntimes
{
    // File names of the runtimes of .NET (Core), .NET Framework 4 and 2.
    private static readonly string[] s_names = ["coreclr.dll", "clr.dll", "mscorwks.dll"];

    /// <summary>Adds what is missing when the process has a .NET runtime; a native process comes back unchanged.</summary>
    /// <param name="snapshot">The native half of a Windows dump.</param>
    public static ProcessSnapshot StateMissing(ProcessSnapshot snapshot)
    {
        ModuleSnapshot? runtime = Find(snapshot);
        return runtime is null ? snapshot : snapshot with
        {
            Missing = [.. snapshot.Missing, DotNetRuntime.Of(runtime).MissingElsewhere()],
        };
    }

    /// <summary>The module of the runtime, which may be the program itself, or null when the process has none.</summary>
    internal static ModuleSnapshot? Find(ProcessSnapshot snapshot) =>
        snapshot.Modules.FirstOrDefault(m => s_names.Contains(m.Name, StringComparer.OrdinalIgnoreCase))
        ?? snapshot.Modules.FirstOrDefault(m => m.HoldsDotNetRuntime == true);
}
