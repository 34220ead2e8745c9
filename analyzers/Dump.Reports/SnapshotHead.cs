using System.Globalization;
using Dump.Model.Process;
using Dump.Model.Text;

namespace Dump.Reports;

/// <summary>The lines that say what was analysed.</summary>
public static class SnapshotHead
{
    private const int MostSymbolFiles = 8;

    /// <summary>Writes them.</summary>
    public static void Write(ProcessSnapshot snapshot, TextWriter output, TextStyle style)
    {
        SourceDescription source = snapshot.Source;
        string size = source.FileSize is { } bytes ? $", {SizeText.Of(bytes)}" : "";
        output.WriteLine($"{style.Heading(source.DisplayName)}: {source.Kind}{size}");
        string process = snapshot.ProcessName ?? "unknown program";
        string id = snapshot.ProcessId is { } pid ? string.Create(CultureInfo.InvariantCulture, $", process id {pid} (0x{pid:x})") : "";
        output.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"{process}{id}, {CountText.Of(snapshot.Threads.Length, "thread")}, {snapshot.System.Text}"));
        if (source.Captured is { } captured)
        {
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"captured {captured:yyyy-MM-dd HH:mm:ss} UTC"));
        }

        if (source.Earlier is { } earlier)
        {
            string moment = earlier.Captured is { } then ? string.Create(CultureInfo.InvariantCulture, $", captured {then:yyyy-MM-dd HH:mm:ss} UTC") : "";
            output.WriteLine($"compared with the first dump {earlier.DisplayName}{moment}");
        }

        if (source.Comment is { } comment)
        {
            WriteComment(comment, output);
        }

        if (snapshot.ManagedHalfOrigin is { } origin)
        {
            output.WriteLine($"managed half: {origin}");
        }

        if (!snapshot.SymbolFiles.IsEmpty)
        {
            string more = snapshot.SymbolFiles.Length > MostSymbolFiles ? $" and {snapshot.SymbolFiles.Length - MostSymbolFiles} more" : "";
            output.WriteLine($"symbols: {string.Join(", ", snapshot.SymbolFiles.Take(MostSymbolFiles))}{more}");
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
