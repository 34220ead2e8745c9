using System.CommandLine;
using System.Globalization;
using Dump.Cli.Options;
using Dump.Clr.Runtimes;
using Dump.Readers.Symbols;
using Dump.Readers.Windows;

namespace Dump.Cli.Running;

/// <summary>What a dump is read with besides its own bytes.</summary>
internal static class ReadingConditions
{
    /// <summary>One text for equal conditions: places of images, symbols and the runtime, and when files came into the directories or left them.</summary>
    public static string Of(ParseResult parsed, DumpOptions options)
    {
        WindowsReadOptions files = options.ReadOptions(parsed);
        ClrReadOptions runtime = options.ClrOptions(parsed);
        IEnumerable<string> directories = files.ImageDirectories.Concat(SymbolSearchPath.Parse(files.SymbolPath).Directories);
        return string.Join('\0', [
            .. files.ImageDirectories, "symbols", files.SymbolPath, "files", .. files.ModuleFiles, "runtime", runtime.DacDirectory,
            parsed.GetValue(options.Wine), "times", .. directories.Append(runtime.DacDirectory ?? "").Select(Changed),
        ]);
    }

    private static string Changed(string directory) =>
        Directory.Exists(directory) ? Directory.GetLastWriteTimeUtc(directory).Ticks.ToString(CultureInfo.InvariantCulture) : "";
}
