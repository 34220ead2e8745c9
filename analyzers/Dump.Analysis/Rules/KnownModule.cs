using System.Collections.Frozen;
using Dump.Model.Contract;
using Dump.Model.Waits;

namespace Dump.Analysis.Rules;

/// <summary>A library that gets into other people's processes: a hook, an overlay, a security product.</summary>
/// <param name="File">Its file name in lower case, with extension and without directory.</param>
/// <param name="Category">What it is for.</param>
/// <param name="Vendor">Whose it is, in words.</param>
/// <param name="Source">Where that is published.</param>
public sealed record KnownModule(string File, KnownModuleCategory Category, string Vendor, string Source);

/// <summary>What a library is for that is loaded into processes of others.</summary>
public enum KnownModuleCategory
{
    /// <summary>Any other purpose.</summary>
    Other,

    /// <summary>A security product: antivirus, firewall, privilege management, data-loss prevention.</summary>
    Security,

    /// <summary>It draws over other programs' windows, or captures them.</summary>
    Overlay,

    /// <summary>It intercepts window messages or functions for another purpose.</summary>
    Hook,

    /// <summary>A sound effect or a recorder.</summary>
    Audio,

    /// <summary>An extension of the shell, which file dialogs load.</summary>
    Shell,

    /// <summary>An aid for people with disabilities, or a test tool that uses the same interface.</summary>
    Accessibility,

    /// <summary>An input method or a keyboard tool.</summary>
    Input,
}

/// <summary>
/// Libraries that are known to be loaded into other people's processes, by exact file name. A file name is no
/// proof of what a file is, so that an entry explains a frame and never makes a finding.
/// </summary>
public sealed class KnownModules
{
    private const string Resource = "known-modules.json";
    private static readonly Lazy<KnownModules> s_default = new(ReadOwn);
    private readonly FrozenDictionary<string, KnownModule> _byFile;

    private KnownModules(IEnumerable<KnownModule> modules) =>
        _byFile = modules.ToFrozenDictionary(m => m.File, StringComparer.OrdinalIgnoreCase);

    /// <summary>The list that comes with this program.</summary>
    public static KnownModules Default => s_default.Value;

    /// <summary>All entries, ordered by file name.</summary>
    public IEnumerable<KnownModule> All => _byFile.Values.OrderBy(m => m.File, StringComparer.Ordinal);

    /// <summary>The entry of a file, or null when it is not listed.</summary>
    /// <param name="file">File name without directory; case does not matter.</param>
    public KnownModule? Find(string file) => _byFile.GetValueOrDefault(file);

    /// <summary>This list with the entries of another file; where both have one, the other file's counts.</summary>
    /// <param name="text">JSON as docs/known-modules.md describes it.</param>
    /// <exception cref="InvalidRulesException">The text is something else.</exception>
    public KnownModules With(string text)
    {
        IReadOnlyList<KnownModule> added = KnownModulesJson.Read(text);
        HashSet<string> replaced = [.. added.Select(m => m.File)];
        return new KnownModules([.. _byFile.Values.Where(m => !replaced.Contains(m.File)), .. added]);
    }

    /// <summary>A category in words, with its article.</summary>
    public static string Words(KnownModuleCategory category) => category switch
    {
        KnownModuleCategory.Security => "a security product",
        KnownModuleCategory.Overlay => "an overlay",
        KnownModuleCategory.Hook => "a hook",
        KnownModuleCategory.Audio => "a sound tool",
        KnownModuleCategory.Shell => "a shell extension",
        KnownModuleCategory.Accessibility => "an accessibility tool",
        KnownModuleCategory.Input => "an input method",
        _ => "an addition",
    };

    private static KnownModules ReadOwn()
    {
        using Stream stream = typeof(KnownModules).Assembly.GetManifestResourceStream(typeof(KnownModules), Resource)
            ?? throw new InvalidOperationException($"{Resource} is not part of this assembly");
        using StreamReader reader = new(stream);
        return new KnownModules(KnownModulesJson.Read(reader.ReadToEnd()));
    }
}

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
