using Dump.Model.Contract;

namespace Dump.Analysis.Rules;

/// <summary>Reads a list of known modules; everything that is not as documented is an error that names its entry.</summary>
internal static class KnownModulesJson
{
    private const int LongestText = 255;
    private static readonly string[] s_categories = [.. Enum.GetNames<KnownModuleCategory>().Select(n => n.ToLowerInvariant())];

    /// <summary>Reads a list that a user gave, within limits of length and number.</summary>
    /// <exception cref="InvalidRulesException">It is no such list.</exception>
    public static IReadOnlyList<KnownModule> Read(string text) => RuleDocument.Read(text, SchemaNames.KnownModules, "modules", LongestText, Entry, m => m.File);

    private static KnownModule Entry(RuleObject entry)
    {
        entry.CheckFields("file", "category", "vendor", "source");
        string file = entry.Text("file").ToLowerInvariant();
        if (file.AsSpan().ContainsAny("\\/:*?\"<>|") || file.LastIndexOf('.') is var dot && (dot <= 0 || dot == file.Length - 1))
        {
            throw entry.Error($"{RuleObject.Quote(file)} is not a file name with an extension and without directory or wildcard");
        }

        string category = entry.Text("category");
        return s_categories.Contains(category, StringComparer.Ordinal)
            ? new KnownModule(file, Enum.Parse<KnownModuleCategory>(category, ignoreCase: true), entry.Text("vendor"), entry.Text("source"))
            : throw entry.Error($"{RuleObject.Quote(category)} is no category; there are {string.Join(", ", s_categories)}");
    }
}
