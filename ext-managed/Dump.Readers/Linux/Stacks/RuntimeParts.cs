using System.Collections.Frozen;
using Dump.Readers.Elf;

namespace Dump.Readers.Linux.Stacks;

/// <summary>The native files of .NET on Linux, as they lie in its shared framework and beside programs (.NET 6 to 10), and the system's below them.</summary>
internal static class RuntimeParts
{
    private static readonly FrozenSet<string> s_files = FrozenSet.Create(
        StringComparer.Ordinal, "dotnet", "apphost", ClrLibrary.Name, "libclrjit.so", "libclrgc.so", "libclrgcexp.so", "libcoreclrtraceptprovider.so",
        "libhostfxr.so", "libhostpolicy.so", "libmscordaccore.so", "libmscordbi.so", "ld-linux-x86-64.so.2", SystemLibrary.Name,
        "libm.so.6", "libdl.so.2", "librt.so.1", "libgcc_s.so.1");

    /// <summary>True for one of them.</summary>
    /// <param name="file">Name of the file, without its directory.</param>
    public static bool Contains(string file) => s_files.Contains(file)
        || (file.StartsWith("libSystem.", StringComparison.Ordinal) && file.EndsWith(".Native.so", StringComparison.Ordinal));
}
