using Dump.Clr.Runtimes;
using Dump.Model.Facts;
using Dump.Model.Process;

namespace Dump.Clr;

/// <summary>.NET runtimes among the modules of Windows dumps.</summary>
public static class WindowsRuntimes
{
    // File names of the runtimes of .NET Framework 4, and 2 to 3.5.
    private static readonly string[] s_framework = [FrameworkDac.RuntimeName, "mscorwks.dll"];

    // What is loaded beside them and never without: their base library, also compiled ahead of time, and the shim that starts them.
    private static readonly string[] s_besideFramework = ["mscorlib.dll", "mscorlib.ni.dll", "mscoree.dll", "mscoreei.dll"];

    /// <summary>Adds what is missing when the process has a .NET runtime; a native process comes back unchanged.</summary>
    /// <param name="snapshot">The native half of a Windows dump that is read on another system.</param>
    public static ProcessSnapshot StateMissing(ProcessSnapshot snapshot)
    {
        MissingData[] missing = [.. All(snapshot).Select(m => DotNetRuntime.Of(m).MissingElsewhere())];
        return missing.Length == 0 ? snapshot : snapshot with { Missing = [.. snapshot.Missing, .. missing] };
    }

    /// <summary>The module of the runtime, which may be the program itself, or null when the process has none.</summary>
    internal static ModuleSnapshot? Find(ProcessSnapshot snapshot) => All(snapshot).FirstOrDefault();

    /// <summary>The same of all runtimes: a process may have .NET beside .NET Framework, or both versions of that.</summary>
    internal static IEnumerable<ModuleSnapshot> All(ProcessSnapshot snapshot) => snapshot.Modules
        .Where(m => m.HoldsDotNetRuntime == true || IsNamed(m, DotNetRuntime.WindowsRuntimeName)
            || (s_framework.Any(n => IsNamed(m, n)) && snapshot.Modules.Any(o => s_besideFramework.Any(n => IsNamed(o, n)))))
        .OrderByDescending(m => IsNamed(m, DotNetRuntime.WindowsRuntimeName)).DistinctBy(m => m.Name, StringComparer.OrdinalIgnoreCase);

    /// <summary>What the modules say of runtimes when the managed reader of Windows has found none; null when there is none.</summary>
    internal static MissingData? NotFound(ProcessSnapshot snapshot) => Find(snapshot) is not { } module ? null
        : DotNetRuntime.Of(module) is { IsCore: false, IsFramework4: false } old ? old.Unread()
        : DotNetRuntime.Of(module).NotFound();

    /// <summary>What is missing of all runtimes of a process but the one that is read.</summary>
    internal static IEnumerable<MissingData> Others(ProcessSnapshot snapshot, DotNetRuntime read) =>
        All(snapshot).Where(m => !IsNamed(m, read.Module)).Select(m => DotNetRuntime.Of(m).Second());

    private static bool IsNamed(ModuleSnapshot module, string name) => module.Name.Equals(name, StringComparison.OrdinalIgnoreCase);
}
