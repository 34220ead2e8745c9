using System.Collections.Immutable;
using Dump.Analysis.Rules;
using Dump.Model.Merging;
using Dump.Model.Reported;

namespace Dump.Analysis.Merging;

/// <summary>
/// The modules of all dumps with their versions, those first that somebody would ask about: known hooks and security products, then what is not the system's.
/// </summary>
internal static class ModuleUses
{
    public static ImmutableArray<ModuleUse> Of(ImmutableArray<TriageRecord> records, KnownModules known) =>
    [
        .. records.Where(r => r.Report is not null)
            .SelectMany((r, index) => r.Report!.Modules.Select(m => (Dump: index, Module: m)))
            .GroupBy(m => m.Module.Name, StringComparer.OrdinalIgnoreCase)
            .Select(g => Use([.. g], known))
            .OrderBy(u => u.KnownAs is null ? u.IsSystem == true ? 2 : 1 : 0).ThenBy(u => u.Name, StringComparer.OrdinalIgnoreCase),
    ];

    private static ModuleUse Use((int Dump, ReportedModule Module)[] uses, KnownModules known)
    {
        string name = uses[0].Module.Name;
        KnownModule? entry = known.Find(name);
        return new ModuleUse(
            name,
            uses.Select(u => u.Module.Vendor).OfType<string>().GroupBy(v => v, StringComparer.Ordinal).OrderByDescending(g => g.Count())
                .ThenBy(g => g.Key, StringComparer.Ordinal).FirstOrDefault()?.Key,
            uses.Any(u => u.Module.IsSystem == false) ? false : uses.Any(u => u.Module.IsSystem == true) ? true : null,
            entry is null ? null : $"{KnownModules.Words(entry.Category)} of {entry.Vendor}",
            [
                .. uses.DistinctBy(u => (u.Dump, u.Module.Version)).GroupBy(u => u.Module.Version ?? "", StringComparer.Ordinal)
                    .Select(g => (Version: g.Key.Length == 0 ? null : g.Key, Count: g.Count())).OrderByDescending(v => v.Count)
                    .ThenBy(v => v.Version, StringComparer.Ordinal),
            ],
            uses.Select(u => u.Dump).Distinct().Count());
    }
}
