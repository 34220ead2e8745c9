using Dump.Model.Contract;
using Dump.Readers.Minidump;

namespace Dump.Readers.Elf;

/// <summary>
/// Where separate debug files and images are kept by build id: the system's debug files (gdb, "Debugging Information in Separate Files":
/// <c>.build-id/xx/yyyy.debug</c>), and the cache that clients of debuginfod share (debuginfod_find_debuginfo(3): <c>HEX/debuginfo</c>, <c>HEX/executable</c>).
/// </summary>
/// <param name="systemDirectory">Directory of the system's debug files.</param>
/// <param name="cache">The shared cache; null where there is none.</param>
public sealed class DebugFileStore(string systemDirectory, string? cache)
{
    private const int LeastDigits = 4;

    /// <summary>That of this machine and user.</summary>
    public static DebugFileStore OfThisMachine => new("/usr/lib/debug", Cache());

    /// <summary>Where the shared cache keeps the separate debug file of a build id; null where there is no cache.</summary>
    /// <param name="buildId">The build id, in hexadecimal digits.</param>
    /// <param name="isImage">True for the image itself.</param>
    public string? Place(string buildId, bool isImage) =>
        cache is null || !IsBuildId(buildId) ? null : Path.Combine(cache, buildId, isImage ? "executable" : "debuginfo");

    /// <summary>The separate debug file of a build id; null when there is none. A file counts by the build id in it.</summary>
    internal FileBytes? OpenDebugFile(string buildId) => !IsBuildId(buildId) ? null
        : ElfFile.Open(Path.Combine(systemDirectory, ".build-id", buildId[..2], $"{buildId[2..]}.debug"), buildId)
            ?? (Place(buildId, isImage: false) is { } place ? ElfFile.Open(place, buildId) : null);

    /// <summary>The image of a build id; null when there is none.</summary>
    internal FileBytes? OpenImage(string buildId) => Place(buildId, isImage: true) is { } place ? ElfFile.Open(place, buildId) : null;

    private static bool IsBuildId(string text) => text.Length >= LeastDigits && text.All(char.IsAsciiHexDigitLower);

    /// <summary>As debuginfod's own client chooses it: the named directory, an old one of the user's that is there, that of the user's caches.</summary>
    private static string? Cache()
    {
        if (Environment.GetEnvironmentVariable(EnvironmentVariables.DebuginfodCache) is { Length: > 0 } named)
        {
            return named;
        }

        string home = Environment.GetFolderPath(Environment.SpecialFolder.UserProfile);
        string old = Path.Combine(home, ".debuginfod_client_cache");
        string? caches = Environment.GetEnvironmentVariable(EnvironmentVariables.CacheHome) is { Length: > 0 } given ? given
            : home.Length > 0 ? Path.Combine(home, ".cache")
            : null;
        return home.Length > 0 && Directory.Exists(old) ? old : caches is null ? null : Path.Combine(caches, "debuginfod_client");
    }
}
