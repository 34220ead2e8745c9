using System.Globalization;
using Dump.Model;

namespace Dump.Reports;

/// <summary>The lines that say what was analysed.</summary>
public static class SnapshotHead
{
    private const int MostSymbolFiles = 8;

    /// <summary>Writes them.</summary>
    public static void Write(ProcessSnapshot snapshot, TextWriter output, TextStyle style)
    {
        SourceDescription source = snapshot.Source;
        string size = source.FileSize is { } bytes ? string.Create(CultureInfo.InvariantCulture, $", {bytes / 1024.0 / 1024.0:0.0} MiB") : "";
        output.WriteLine($"{style.Heading(source.DisplayName)}: {source.Kind}{size}");
        string process = snapshot.ProcessName ?? "unknown program";
        string id = snapshot.ProcessId is { } pid ? string.Create(CultureInfo.InvariantCulture, $", process id {pid} (0x{pid:x})") : "";
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{process}{id}, {snapshot.Threads.Length} threads, {snapshot.System.Text}"));
        if (source.Captured is { } captured)
        {
            output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"captured {captured:yyyy-MM-dd HH:mm:ss} UTC"));
        }

        if (source.Comment is { } comment)
        {
            output.WriteLine($"comment: {comment}");
        }

        if (!snapshot.SymbolFiles.IsEmpty)
        {
            string more = snapshot.SymbolFiles.Length > MostSymbolFiles ? $" and {snapshot.SymbolFiles.Length - MostSymbolFiles} more" : "";
            output.WriteLine($"symbols: {string.Join(", ", snapshot.SymbolFiles.Take(MostSymbolFiles))}{more}");
        }
    }
}
