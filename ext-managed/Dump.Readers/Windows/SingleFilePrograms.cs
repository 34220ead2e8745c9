using Dump.Model.Process;
using Dump.Readers.Pe;

namespace Dump.Readers.Windows;

/// <summary>
/// Tells programs that were published in a single file, with the .NET runtime inside: they export an object for debuggers
/// (dotnet/runtime, src/coreclr/debug/runtimeinfo; docs/design/features/single-file.md).
/// </summary>
public static class SingleFilePrograms
{
    private const string RuntimeInformation = "DotNetRuntimeInfo";

    /// <summary>Whether a module is such a program; null where it is no program or not all of its exports are in the dump and those that are do not tell.</summary>
    /// <param name="module">The module.</param>
    /// <param name="image">Its image.</param>
    public static bool? HoldsRuntime(ModuleSnapshot module, PeImage image) =>
        !module.Name.EndsWith(".exe", StringComparison.OrdinalIgnoreCase) ? null
        : image.FindExport(RuntimeInformation) is not null ? true
        : image.ExportsAreComplete ? false : null;
}
