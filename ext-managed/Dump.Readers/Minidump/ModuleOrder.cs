using Dump.Model;

namespace Dump.Readers.Minidump;

/// <summary>Orders modules by address and tells those of the system from others.</summary>
internal static class ModuleOrder
{
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

    private static string FileName(string path) => path[(path.LastIndexOfAny(['\\', '/']) + 1)..];

    /// <summary>By path alone: below <c>\Windows\</c> of a drive. A program may be installed there too, but none of its plug-ins usually are.</summary>
    private static bool? IsSystem(string path)
    {
        string lower = path.ToLowerInvariant().Replace('/', '\\');
        return lower.Length == 0 || !lower.Contains('\\', StringComparison.Ordinal) ? null
            : lower.StartsWith(@"\systemroot\", StringComparison.Ordinal)
                || (lower.Length > 2 && lower[1] == ':' && lower[2..].StartsWith(@"\windows\", StringComparison.Ordinal));
    }
}
