using System.Globalization;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>What belongs below a list of facts that no detector has judged: why the list may not be complete.</summary>
internal static class FactsFooter
{
    private const int MostIds = 8;

    /// <summary>Writes it; nothing when nothing is missing and the input had no problems.</summary>
    public static void Write(ProcessDocument document, TextWriter output, TextStyle style)
    {
        string command = MissingWords.Fill(document, "dumpanalyze FILE");
        if (Unknown([.. document.Threads.Where(t => t.MayWait)], document.Process.Family, command) is { } unknown)
        {
            output.WriteLine();
            output.WriteLine(style.Warning(unknown));
        }

        IEnumerable<string> missing = MissingWords.Groups(document, document.Missing)
            .SelectMany(g => g.Select(m => $"  - {MissingWords.Line(m)}").Append($"    {MissingWords.Advice(g.Key)}"));
        Write("Missing", missing, output, style);
        Write(ReportWords.Problems, MissingWords.Problems(document.Problems).Select(p => $"  - {p}"), output, style);
    }

    /// <summary>That threads of which the dump does not tell what they do may wait as well; null when there is none.</summary>
    private static string? Unknown(ReportedThread[] unknown, OperatingSystemFamily family, string command)
    {
        string ids = string.Join(" ", unknown.Take(MostIds).Select(t => ThreadNames.Id(t.Id, family))) + (unknown.Length > MostIds ? " ..." : "");
        (string does, string they) = unknown.Length == 1 ? ("does", "it") : ("do", "they");
        return unknown.Length == 0 ? null
            : $"What {CountText.Of(unknown.Length, "thread")} ({ids}) {does} is unknown: data are missing, so {they} may wait too. "
                + $"{command} says which, and how to capture them.";
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
