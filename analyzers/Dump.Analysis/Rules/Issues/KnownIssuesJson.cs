using System.Collections.Immutable;
using Dump.Analysis.Names;
using Dump.Model.Contract;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Rules.Issues;

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
