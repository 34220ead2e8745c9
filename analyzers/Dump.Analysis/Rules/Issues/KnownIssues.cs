using System.Collections.Immutable;
using Dump.Model.Reported;
using Dump.Model.Verdicts;

namespace Dump.Analysis.Rules.Issues;

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
