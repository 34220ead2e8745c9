using Dump.Model;

namespace Dump.Clr;

/// <summary>.NET runtimes in Windows dumps, whose managed half this version does not read.</summary>
public static class WindowsRuntimes
{
    // File names of the runtimes of .NET (Core), .NET Framework 4 and 2.
    private static readonly string[] s_names = ["coreclr.dll", "clr.dll", "mscorwks.dll"];

    /// <summary>Adds what is missing when the process has a .NET runtime; a native process comes back unchanged.</summary>
    /// <param name="snapshot">The native half of a Windows dump.</param>
    public static ProcessSnapshot StateMissing(ProcessSnapshot snapshot)
    {
        ModuleSnapshot? runtime = snapshot.Modules.FirstOrDefault(m => s_names.Contains(m.Name, StringComparer.OrdinalIgnoreCase));
        return runtime is null ? snapshot : snapshot with
        {
            Missing =
            [
                .. snapshot.Missing,
                new MissingData(
                    $"the managed half of the process (it runs .NET: {runtime.Name}{(runtime.Version is { } version ? $" {version}" : "")}), which this version reads from Linux cores only",
                    "managed locks, tasks and collections are unknown; what is said of native code stands",
                    "the dump is good as it is; look at its managed threads with WinDbg and SOS (!syncblk, ~*e !clrstack)"),
            ],
        };
    }
}
