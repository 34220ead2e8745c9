using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Managed;
using Dump.Model.Text;
using Dump.Readers;
using Dump.Readers.Symbols.Portable;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Requests;

/// <summary>Which version of a library a process has, and whether its layout is known.</summary>
internal static class LibraryVersion
{
    private const int LongestVersion = 64;
    private const int MostModules = 65_536;

    /// <summary>The library, or null when the process does not have it.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="kind">Which requests are its.</param>
    /// <param name="assembly">Name of its assembly.</param>
    /// <param name="framework">The shared framework that it belongs to, or null.</param>
    /// <param name="known">First numbers of the versions whose layout was checked.</param>
    public static RequestLibrary? Find(
        ClrRuntime runtime, IMemory memory, RequestKind kind, string assembly, string? framework, ImmutableArray<int> known)
    {
        string file = assembly + ".dll";
        if (runtime.EnumerateModules().Take(MostModules).FirstOrDefault(m => Parts(m) is [.., var name] && name == file) is not { } module)
        {
            return null;
        }

        string? version = Parts(module) is [.., var folder, var release, _] && folder == framework ? SafeText.Clean(release, LongestVersion)
            : ModuleVersion.OfAssembly(memory, module.MetadataAddress, module.MetadataLength)?.ToString();
        bool isKnown = version is not null && int.TryParse(version.Split('.')[0], NumberStyles.None, CultureInfo.InvariantCulture, out int first)
            && known.Contains(first);
        return new RequestLibrary(kind, assembly, version, isKnown ? RequestGap.None : RequestGap.UncheckedVersion);
    }

    private static string[] Parts(ClrModule module) => (module.Name ?? "").Split('/', '\\');
}
