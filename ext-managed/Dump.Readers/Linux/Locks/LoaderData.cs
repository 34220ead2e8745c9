using Dump.Readers.ElfCore;

namespace Dump.Readers.Linux.Locks;

/// <summary>
/// The dynamic loader's own writable data, where its locks are (<c>_rtld_global</c>: <c>_dl_load_lock</c> and its kin; glibc sysdeps/generic/ldsodefs.h). They
/// are taken by <c>dlopen</c>, <c>dlclose</c> and the first use of some thread-local variables.
/// </summary>
internal static class LoaderData
{
    // Its last part, which is no file's, follows the mapped ones directly.
    private const ulong UninitialisedData = 0x4000;
    private static readonly string[] s_names = ["ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"];

    /// <summary>True when an address lies in it.</summary>
    public static bool Contains(IReadOnlyList<ElfMappedFile> files, ulong address) =>
        files.Any(f => IsLoader(f.Path) && address >= f.Start && address < f.End + UninitialisedData)
            && !files.Any(f => !IsLoader(f.Path) && address >= f.Start && address < f.End);

    // Before glibc 2.34 the file had its version in its name: ld-2.31.so.
    private static bool IsLoader(string path)
    {
        ReadOnlySpan<char> name = ElfMappedFile.NameOf(path);
        return s_names.Contains(name.ToString()) || (name.StartsWith("ld-2.") && name.EndsWith(".so"));
    }
}
