using System.Collections.Immutable;
using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Reported;

namespace Dump.Model.Wording;

/// <summary>What is missing in the input, or wrong with it, in words.</summary>
public static class MissingWords
{
    private const int MostProblems = 20;

    /// <summary>What is missing and what follows from that, as a sentence.</summary>
    public static string Line(MissingData missing) => $"{missing.What}: {missing.Consequence}.";

    /// <summary>How to capture it.</summary>
    public static string Advice(string advice) => $"Capture: {advice}";

    /// <summary>What is missing, grouped by the advice that would supply it, so that the same advice stands once; of a list, what leaves the list open.</summary>
    /// <param name="document">What it is missing in.</param>
    /// <param name="missing">All of it, or that of one verdict.</param>
    public static IEnumerable<IGrouping<string, MissingData>> Groups(ProcessDocument document, IEnumerable<MissingData> missing) =>
        missing.Distinct().Where(m => document is HangReport || !MissingKinds.Of(m.Kind).IsOfNativeWaits).GroupBy(m => Fill(document, m.CaptureAdvice));

    /// <summary>
    /// Advice with the process that a document is about in the place of the words that stand for it: what a command says of a dump, it says of a living process too. A
    /// dump may have another name where the advice is read, and that of a debugger is gone by then.
    /// </summary>
    public static string Fill(ProcessDocument document, string advice) =>
        CaptureKinds.For(advice, document.Process.Id,
            document.Source.FileSize is null && document.Process.Id is { } living ? string.Create(CultureInfo.InvariantCulture, $"live {living}") : null);

    /// <summary>Problems of the input: at most twenty lines, and one that counts the rest.</summary>
    public static IEnumerable<string> Problems(ImmutableArray<ReaderProblem> problems)
    {
        foreach (ReaderProblem problem in problems.Take(MostProblems))
        {
            string offset = problem.Offset is { } at ? $" (at 0x{at:x})" : "";
            yield return $"{problem.Where}: {problem.Message}{offset}";
        }

        if (problems.Length > MostProblems)
        {
            yield return string.Create(CultureInfo.InvariantCulture, $"and {problems.Length - MostProblems} more");
        }
    }
}
