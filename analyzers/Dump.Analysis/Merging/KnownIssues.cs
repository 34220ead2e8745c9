using System.Collections.Immutable;
using System.Globalization;
using Dump.Analysis.Rules;
using Dump.Analysis.Names;
using Dump.Model.Contract;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Merging;

/// <summary>Hangs that others have met and explained in public. A note explains a verdict and never makes one.</summary>
public sealed class KnownIssues
{
    private const string Resource = "known-issues.json";
    private static readonly Lazy<KnownIssues> s_default = new(ReadOwn);

    private KnownIssues(IEnumerable<KnownIssueRule> rules) => All = [.. rules.OrderBy(r => r.Id, StringComparer.Ordinal)];

    /// <summary>The list that comes with this program.</summary>
    public static KnownIssues Default => s_default.Value;

    /// <summary>All entries, ordered by id.</summary>
    public ImmutableArray<KnownIssueRule> All { get; }

    /// <summary>This list with the entries of another file; where both have an id, the other file's counts.</summary>
    /// <param name="text">JSON as docs/known-issues.md describes it.</param>
    /// <exception cref="InvalidRulesException">The text is something else.</exception>
    public KnownIssues With(string text)
    {
        IReadOnlyList<KnownIssueRule> added = KnownIssuesJson.Read(text);
        HashSet<string> replaced = [.. added.Select(r => r.Id)];
        return new KnownIssues([.. All.Where(r => !replaced.Contains(r.Id)), .. added]);
    }

    /// <summary>The notes on a verdict, by id.</summary>
    public ImmutableArray<KnownIssue> Of(HangReport report, ReportedVerdict verdict) => [.. All.Where(r => r.Fits(report, verdict)).Select(r => r.Issue)];

    /// <summary>A report with the notes on each of its verdicts, in place of those that it had.</summary>
    public HangReport Annotate(HangReport report) => report with
    {
        Verdicts = [.. report.Verdicts.Select(v => v with { KnownIssues = Of(report, v) })],
    };

    private static KnownIssues ReadOwn()
    {
        using Stream stream = typeof(KnownIssues).Assembly.GetManifestResourceStream(typeof(KnownIssues), Resource)
            ?? throw new InvalidOperationException($"{Resource} is not part of this assembly");
        using StreamReader reader = new(stream);
        return new KnownIssues(KnownIssuesJson.Read(reader.ReadToEnd()));
    }
}

/// <summary>Reads a list of known issues; everything that is not as documented is an error that names its entry.</summary>
internal static class KnownIssuesJson
{
    private const int LongestText = 1_000;

    /// <summary>Reads a list that a user gave, within limits of length and number.</summary>
    /// <exception cref="InvalidRulesException">It is no such list.</exception>
    public static IReadOnlyList<KnownIssueRule> Read(string text) => RuleDocument.Read(text, SchemaNames.KnownIssues, "issues", LongestText, Entry, r => r.Id);

    private static KnownIssueRule Entry(RuleObject entry)
    {
        entry.CheckFields("id", "title", "explanation", "reference", "detectors", "frames", "sameThread", "versions");
        ImmutableArray<string> detectors = entry.Texts("detectors");
        ImmutableArray<KnownIssueFrame> frames = [.. entry.Parts("frames", "a frame").Select(Frame)];
        if (detectors.IsEmpty || detectors.FirstOrDefault(d => DetectorRegistry.Descriptors.All(r => r.Id != d)) is not null)
        {
            throw entry.Error("\"detectors\" does not hold ids of detectors");
        }

        return new KnownIssueRule(
            entry.Text("id"), detectors, frames, entry.Flag("sameThread"), Versions(entry),
            new KnownIssue(entry.Text("title"), entry.Text("explanation"), entry.Has("reference") ? Reference(entry) : null));
    }

    /// <summary>Reports make links of it.</summary>
    private static string Reference(RuleObject entry) => entry.Text("reference") is var text
        && Uri.TryCreate(text, UriKind.Absolute, out Uri? address) && address.Scheme is "https" or "http"
            ? text
            : throw entry.Error("\"reference\" is no address that begins with https:// or http://");

    private static KnownIssueFrame Frame(RuleObject frame)
    {
        frame.CheckFields("modules", "functions");
        KnownIssueFrame read = new([.. frame.Texts("modules").Select(m => ModuleNames.Normal(m))], frame.Texts("functions"));
        return read.Modules.IsEmpty && read.Functions.IsEmpty ? throw frame.Error("it names neither modules nor functions") : read;
    }

    private static KnownIssueVersions? Versions(RuleObject entry)
    {
        if (entry.Part("versions") is not { } versions)
        {
            return null;
        }

        versions.CheckFields("module", "from", "before");
        KnownIssueVersions read = new(
            ModuleNames.Normal(versions.Text("module")),
            versions.Has("from") ? versions.Text("from") : null,
            versions.Has("before") ? versions.Text("before") : null);
        return (read.From is null || KnownIssueVersions.Parse(read.From) is not null)
            && (read.Before is null || KnownIssueVersions.Parse(read.Before) is not null)
            ? read
            : throw entry.Error("a version is not up to four numbers between full stops");
    }
}

/// <summary>
/// A hang that others have met and explained, with what it is recognised by. All parts must fit; names are exact, and guessed frames do not count.
/// </summary>
/// <param name="Id">Short name, unique in the list.</param>
/// <param name="Detectors">Ids of the detectors, one of which must have made the verdict.</param>
/// <param name="Frames">Frames that must be among those that prove the verdict, on whichever thread.</param>
/// <param name="SameThread">True when all these frames must be on one thread.</param>
/// <param name="Versions">Versions of a loaded module without which it is another hang, or null.</param>
/// <param name="Issue">What is said.</param>
public sealed record KnownIssueRule(
    string Id,
    ImmutableArray<string> Detectors,
    ImmutableArray<KnownIssueFrame> Frames,
    bool SameThread,
    KnownIssueVersions? Versions,
    KnownIssue Issue)
{
    /// <summary>True when the verdict is this hang.</summary>
    public bool Fits(HangReport report, ReportedVerdict verdict)
    {
        if (!Detectors.Contains(verdict.DetectorId)
            || (Versions is { } versions && !report.Modules.Any(m => ModuleNames.Normal(m.Name) == versions.Module && versions.Contains(m.Version))))
        {
            return false;
        }

        (string? Module, string? Function)[][] stacks = [.. verdict.Stacks.Select(s => s.Frames.Where(f => f.Trust > FrameTrust.Scan).Select(Normal)
            .ToArray())];
        return SameThread ? stacks.Any(HasAll) : HasAll([.. stacks.SelectMany(s => s)]);
    }

    private bool HasAll((string? Module, string? Function)[] frames) => Frames.All(wanted => frames.Any(f =>
        (wanted.Modules.IsEmpty || (f.Module is not null && wanted.Modules.Contains(f.Module)))
        && (wanted.Functions.IsEmpty || (f.Function is not null && wanted.Functions.Contains(f.Function)))));

    private static (string? Module, string? Function) Normal(ReportedFrame frame) =>
        (frame.Module is { } module ? ModuleNames.Normal(module) : null,
            (frame.Function ?? frame.EnteredAs) is { } function ? FunctionNames.Normal(function) : null);
}

/// <summary>Versions of a module.</summary>
/// <param name="Module">Its name as signatures have it: lower case, without extension.</param>
/// <param name="From">First version that has the issue, or null for all earlier ones.</param>
/// <param name="Before">First version that does not have it any more, or null for all later ones.</param>
public sealed record KnownIssueVersions(string Module, string? From, string? Before)
{
    private const int MostParts = 4;

    /// <summary>True when a version is known to be one of these.</summary>
    /// <param name="version">File version such as <c>9.0.325.11113</c>, or null when unknown.</param>
    public bool Contains(string? version) => Parse(version) is { } parts
        && (Parse(From) is not { } from || Compare(parts, from) >= 0)
        && (Parse(Before) is not { } before || Compare(parts, before) < 0);

    /// <summary>The numbers of a version, or null when it is none.</summary>
    internal static int[]? Parse(string? version)
    {
        string[] parts = version?.Split(' ')[0].Split('.', ',') ?? [];
        int[] numbers = new int[MostParts];
        for (int i = 0; i < parts.Length; i++)
        {
            if (i == MostParts || !int.TryParse(parts[i], NumberStyles.None, CultureInfo.InvariantCulture, out numbers[i]))
            {
                return null;
            }
        }

        return parts.Length == 0 ? null : numbers;
    }

    private static int Compare(int[] version, int[] other)
    {
        int i = 0;
        while (i < MostParts - 1 && version[i] == other[i])
        {
            i++;
        }

        return version[i].CompareTo(other[i]);
    }
}

/// <summary>A frame that must be among those that prove the verdict.</summary>
/// <param name="Modules">Module names as signatures have them (lower case, without extension), one of which must fit exactly; empty for any.</param>
/// <param name="Functions">Function names as signatures have them, one of which must fit exactly; empty for any.</param>
public sealed record KnownIssueFrame(ImmutableArray<string> Modules, ImmutableArray<string> Functions);
