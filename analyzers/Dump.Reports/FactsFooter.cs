using Dump.Model.Process;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>What belongs below a list of facts that no detector has judged: why the list may not be complete.</summary>
public static class FactsFooter
{
    /// <summary>Writes it; nothing when nothing is missing and the input had no problems.</summary>
    public static void Write(ProcessSnapshot snapshot, TextWriter output, TextStyle style)
    {
        if (UnknownThreads.Sentence(snapshot) is { } unknown)
        {
            output.WriteLine();
            output.WriteLine(style.Warning(unknown));
        }

        IEnumerable<string> missing = MissingWords.Groups(snapshot.Missing)
            .SelectMany(g => g.Select(m => $"  - {MissingWords.Line(m)}").Append($"    {MissingWords.Advice(g.Key)}"));
        Write("Missing", missing, output, style);
        Write(ReportWords.Problems, MissingWords.Problems(snapshot.Problems).Select(p => $"  - {p}"), output, style);
    }

    private static void Write(string heading, IEnumerable<string> lines, TextWriter output, TextStyle style)
    {
        string[] all = [.. lines];
        if (all.Length == 0)
        {
            return;
        }

        output.WriteLine();
        output.WriteLine(style.Heading(heading));
        foreach (string line in all)
        {
            output.WriteLine(line);
        }
    }
}
