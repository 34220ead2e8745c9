using Dump.Model.Verdicts;

namespace Dump.Model.Wording;

/// <summary>Notes of others on a hang, in words.</summary>
public static class KnownIssueWords
{
    /// <summary>A note as one line, for example <c>Work in a detach callback. Stop its threads first. (https://example.org/7)</c>.</summary>
    public static string Line(KnownIssue issue) => $"{Phrase(issue)}{(issue.Reference is { } reference ? $" ({reference})" : "")}";

    /// <summary>A note, and on a line of its own where it is described.</summary>
    public static IEnumerable<string> Lines(KnownIssue issue) => issue.Reference is { } reference ? [Phrase(issue), reference] : [Phrase(issue)];

    /// <summary>A note without where it is described.</summary>
    public static string Phrase(KnownIssue issue) => $"{issue.Title}. {issue.Explanation}";
}
