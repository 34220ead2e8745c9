using System.Globalization;
using Dump.Model.Process;

namespace Dump.Analysis.Looks;

/// <summary>Tells whether two snapshots are of one process.</summary>
internal static class ProcessIdentity
{
    /// <summary>In words how they differ, or null when nothing says that they are of different processes.</summary>
    public static string? Difference(ProcessSnapshot first, ProcessSnapshot second)
    {
        if (first.System.Family != second.System.Family || first.System.Architecture != second.System.Architecture)
        {
            return $"one is of {first.System.Text}, the other of {second.System.Text}";
        }

        if (first.ProcessId != second.ProcessId)
        {
            return string.Create(CultureInfo.InvariantCulture, $"their process ids are {Id(first)} and {Id(second)}");
        }

        if (first.ProcessStart is { } start && second.ProcessStart is { } other && start != other)
        {
            return string.Create(CultureInfo.InvariantCulture, $"process id {Id(first)} was used again: their processes started at different times");
        }

        return ModulesDiffer(first, second) ? "the modules that both have lie at different addresses" : null;
    }

    private static string Id(ProcessSnapshot snapshot) => snapshot.ProcessId?.ToString(CultureInfo.InvariantCulture) ?? "unknown";

    /// <summary>A module may be unloaded and loaded elsewhere; most of them may not.</summary>
    private static bool ModulesDiffer(ProcessSnapshot first, ProcessSnapshot second)
    {
        ILookup<string, ulong> bases = first.Modules.ToLookup(m => m.Path, m => m.BaseAddress, StringComparer.OrdinalIgnoreCase);
        ModuleSnapshot[] common = [.. second.Modules.Where(m => bases.Contains(m.Path))];
        return common.Length > 0 && common.Count(m => bases[m.Path].Contains(m.BaseAddress)) * 2 < common.Length;
    }
}
