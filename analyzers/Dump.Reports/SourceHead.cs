using System.Globalization;
using Dump.Model.Process;
using Dump.Model.Reported;
using Dump.Model.Text;
using Dump.Model.Wording;

namespace Dump.Reports;

/// <summary>The lines that say what was analysed.</summary>
public static class SourceHead
{
    /// <summary>Writes them, and an empty line.</summary>
    public static void Write(ProcessDocument document, TextWriter output, TextStyle style)
    {
        ReportedSource source = document.Source;
        string size = source.FileSize is { } bytes ? $", {SizeText.Of(bytes)}" : "";
        output.WriteLine($"{style.Heading(source.DisplayName)}: {source.Kind}{size}");
        output.WriteLine(Process(document));
        WriteLine(output, "captured ", ReportWords.Time(source.Captured));
        if (source.Earlier is { } earlier)
        {
            string captured = ReportWords.Time(earlier.Captured) is { } moment ? $", captured {moment}" : "";
            output.WriteLine($"compared with the first {(source.FileSize is null ? "look at" : "dump")} {earlier.DisplayName}{captured}");
        }

        if (source.Comment is { } comment)
        {
            WriteComment(comment, output);
        }

        WriteLine(output, "managed half: ", source.ManagedHalf);
        WriteLine(output, "symbols: ", ReportWords.Symbols(source));
        output.WriteLine();
    }

    /// <summary>The process in one line: <c>shop (dotnet shop.dll), .NET 10.0.12, process 6520, 13 threads, Linux x64</c>.</summary>
    public static string Process(ProcessDocument document)
    {
        ReportedProcess process = document.Process;
        string? id = process.Id is not { } pid ? null
            : process.Family == OperatingSystemFamily.Linux ? string.Create(CultureInfo.InvariantCulture, $"process {pid}")
            : string.Create(CultureInfo.InvariantCulture, $"process {pid} (0x{pid:x})");
        string?[] parts = [process.Title ?? "unknown program", process.Runtime, id, CountText.Of(document.Threads.Length, "thread"), process.System];
        return string.Join(", ", parts.OfType<string>());
    }

    private static void WriteLine(TextWriter output, string label, string? value)
    {
        if (value is not null)
        {
            output.WriteLine(label + value);
        }
    }

    /// <summary>The writer's comment as it is. Each of several lines has a mark, so that none of them can pass for a line of the document.</summary>
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
