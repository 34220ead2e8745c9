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
    private const string TwoTiers = "index2.txt";
    private const int MostFolders = 10_000;

    /// <summary>
    /// One text for equal conditions: places of images, symbols and the runtime, and when files came into the directories, or the folders of symbol stores, or
    /// left them.
    /// </summary>
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

    /// <summary>
    /// When entries last came into a directory or left it, or a folder of it: a symbol store has a folder for each file name, and a file's new build is a new
    /// folder in there; a store of two tiers has one more level.
    /// </summary>
    private static string Changed(string directory)
    {
        DirectoryInfo top = new(directory.Length == 0 ? "." : directory);
        if (directory.Length == 0 || !top.Exists)
        {
            return "";
        }

        EnumerationOptions options = new()
        {
            RecurseSubdirectories = File.Exists(Path.Combine(directory, TwoTiers)),
            MaxRecursionDepth = 1,
            IgnoreInaccessible = true,
        };
        (long latest, int count) = (top.LastWriteTimeUtc.Ticks, 0);
        foreach (DirectoryInfo folder in top.EnumerateDirectories("*", options).Take(MostFolders))
        {
            (latest, count) = (Math.Max(latest, folder.LastWriteTimeUtc.Ticks), count + 1);
        }

        return string.Create(CultureInfo.InvariantCulture, $"{latest} {count}");
    }
}
