using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Process;
using Dump.Model.Reported;

namespace Dump.Reports;

/// <summary>The modules of a process as reports list them: by name, without load addresses.</summary>
internal static class ReportModules
{
    /// <summary>
    /// All modules ordered by name, without regard to case; equal ones once. Of the files that a Linux process maps, only those that hold code by their names.
    /// </summary>
    public static ImmutableArray<ReportedModule> Of(ProcessSnapshot snapshot) =>
    [
        .. snapshot.Modules
            .Where(m => snapshot.System.Family == OperatingSystemFamily.Windows || HoldsCode(m.Name))
            .Select(m => new ReportedModule(m.Name, m.Version, m.Vendor, m.IsSystem) { Build = Build(m) })
            .Distinct()
            .OrderBy(m => m.Name, StringComparer.OrdinalIgnoreCase)
            .ThenBy(m => m.Name, StringComparer.Ordinal)
            .ThenBy(m => m.Version, StringComparer.Ordinal)
            .ThenBy(m => m.Vendor, StringComparer.Ordinal)
            .ThenBy(m => m.IsSystem)
            .ThenBy(m => m.Build, StringComparer.Ordinal),
    ];

    private static string? Build(ModuleSnapshot module) =>
        module.TimeDateStamp == 0 ? null : string.Create(CultureInfo.InvariantCulture, $"{module.TimeDateStamp:X8}{module.Size:x}");

    /// <summary>Programs have no extension; libraries may have a version behind theirs.</summary>
    private static bool HoldsCode(string name) =>
        !name.Contains('.', StringComparison.Ordinal)
        || name.Contains(".so", StringComparison.Ordinal)
        || name.EndsWith(".dll", StringComparison.OrdinalIgnoreCase)
        || name.EndsWith(".exe", StringComparison.OrdinalIgnoreCase);
}
