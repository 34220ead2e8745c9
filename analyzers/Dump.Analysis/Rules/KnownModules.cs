using System.Collections.Frozen;
using Dump.Model.Waits;

namespace Dump.Analysis.Rules;

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
