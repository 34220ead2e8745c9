using Dump.Model.Process;
using Dump.Model.Text;

namespace Dump.Readers.Minidump;

/// <summary>Orders modules by address and tells those of the system from others.</summary>
internal static class ModuleOrder
{
    private const string SystemRoot = @"\systemroot\";
    private const string Volume = @"\device\harddiskvolume";

    // Win32 and NT spellings of "what follows is a full path".
    private static readonly string[] s_prefixes = [@"\\?\", @"\\.\", @"\??\"];

    private static readonly string[] s_mixed = [@"temp\", @"installer\", @"assembly\", @"system32\driverstore\", @"downloaded program files\"];

    /// <summary>Modules by base address. Of two with the same base the first counts.</summary>
    public static ModuleSnapshot[] Sort(StreamReader reader, IReadOnlyList<MinidumpModule> modules)
    {
        List<ModuleSnapshot> sorted = [];
        foreach (MinidumpModule module in modules.OrderBy(m => m.BaseAddress))
        {
            if (sorted is [.., { } last] && last.BaseAddress == module.BaseAddress)
            {
                reader.Problem("ModuleList", $"two modules claim the base 0x{module.BaseAddress:x}; the first counts");
                continue;
            }

            sorted.Add(new ModuleSnapshot(
                FileName(module.Path), module.Path, module.BaseAddress, module.Size, module.TimeDateStamp, module.FileVersion, IsSystem(module.Path)));
        }

        return [.. sorted];
    }

    /// <summary>The part behind the last separator, no longer than a file system allows a name to be: it stands in every line about the module.</summary>
    private static string FileName(string path)
    {
        const int LongestFileName = 255;
        return SafeText.Clean(path.AsSpan(path.LastIndexOfAny(['\\', '/']) + 1), LongestFileName);
    }

    /// <summary>
    /// By path alone: true below the Windows directory of a drive, of a device or of <c>\SystemRoot</c>; false in any other
    /// directory; null without a directory, and below those of the Windows directory that hold other people's files (drivers,
    /// installers, temporary files). Anyone with the rights may place a file beside the system's own, so true is no proof.
    /// </summary>
    private static bool? IsSystem(string path)
    {
        string lower = path.ToLowerInvariant().Replace('/', '\\');
        if (!lower.Contains('\\', StringComparison.Ordinal))
        {
            return null;
        }

        string? below = BelowWindows(lower);
        return below is null ? false : s_mixed.Any(m => below.StartsWith(m, StringComparison.Ordinal)) ? null : true;
    }

    /// <summary>The part of a lower-case path below the Windows directory, or null when it is elsewhere.</summary>
    private static string? BelowWindows(string path)
    {
        const string Windows = @"\windows\";
        foreach (string prefix in s_prefixes)
        {
            path = path.StartsWith(prefix, StringComparison.Ordinal) ? path[prefix.Length..] : path;
        }

        if (path.StartsWith(SystemRoot, StringComparison.Ordinal))
        {
            return path[SystemRoot.Length..];
        }

        int directory = path is [_, ':', ..] ? 2 : path.StartsWith(Volume, StringComparison.Ordinal) ? path.IndexOf('\\', Volume.Length) : -1;
        return directory >= 0 && path[directory..].StartsWith(Windows, StringComparison.Ordinal) ? path[(directory + Windows.Length)..] : null;
    }
}
