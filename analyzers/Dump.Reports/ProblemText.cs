using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Process;

namespace Dump.Reports;

/// <summary>Problems of the input in words, bounded.</summary>
public static class ProblemText
{
    private const int Most = 20;

    /// <summary>At most twenty lines, and one that counts the rest.</summary>
    public static IEnumerable<string> Lines(ImmutableArray<ReaderProblem> problems)
    {
        foreach (ReaderProblem problem in problems.Take(Most))
        {
            string offset = problem.Offset is { } at ? $" (at 0x{at:x})" : "";
            yield return $"{problem.Where}: {problem.Message}{offset}";
        }

        if (problems.Length > Most)
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"and {problems.Length - Most} more");
        }
    }
}
