using System.Globalization;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>The lines that say what was analysed.</summary>
public static class SourceHead
{
    /// <summary>Writes them for what was read.</summary>
    public static void Write(ProcessSnapshot snapshot, TextWriter output, TextStyle style) =>
        Write(HangReports.Facts(snapshot, allStacks: false), output, style);

    /// <summary>Writes them for a report.</summary>
    public static void Write(ProcessReport report, TextWriter output, TextStyle style)
    {
        ReportedSource source = report.Source;
        string size = source.FileSize is { } bytes ? $", {SizeText.Of(bytes)}" : "";
        output.WriteLine($"{style.Heading(source.DisplayName)}: {source.Kind}{size}");
        string process = report.Process.Name ?? "unknown program";
        string id = report.Process.Id is { } pid ? string.Create(CultureInfo.InvariantCulture, $", process id {pid} (0x{pid:x})") : "";
        string system = report.Process.System is { } name ? $", {name}" : "";
        output.WriteLine($"{process}{id}, {CountText.Of(report.Threads.Length, "thread")}{system}");
        WriteLine(output, "captured ", ReportWords.Time(source.Captured));
        if (source.Earlier is { } earlier)
        {
            string captured = ReportWords.Time(earlier.Captured) is { } moment ? $", captured {moment}" : "";
            output.WriteLine($"compared with the first dump {earlier.DisplayName}{captured}");
        }

        if (source.Comment is { } comment)
        {
            WriteComment(comment, output);
        }

        WriteLine(output, "managed half: ", source.ManagedHalf);
        WriteLine(output, "symbols: ", ReportWords.Symbols(source));
    }

    private static void WriteLine(TextWriter output, string label, string? value)
    {
        if (value is not null)
        {
            output.WriteLine(label + value);
        }
    }

    /// <summary>The writer's comment as it is. Each of several lines has a mark, so that none of them can pass for a line of the report.</summary>
    private static void WriteComment(string comment, TextWriter output)
    {
        string[] lines = comment.Split('\n');
        if (lines.Length == 1)
        {
            output.WriteLine($"comment: {comment}");
            return;
        }

        output.WriteLine("comment:");
        foreach (string line in lines)
        {
            output.WriteLine($"  | {line}".TrimEnd());
        }
    }
}
