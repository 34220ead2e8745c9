using System.Globalization;
using Dump.Clr.Runtimes;
using Dump.Clr.Wine;
using Dump.Readers.Symbols;
using Dump.Readers.Windows;

namespace Dump.Engine;

/// <summary>What a dump is read with besides its own bytes. Nothing of it comes from the environment: what is not set here is not looked for.</summary>
public sealed record ReadingSettings
{
    private const string TwoTiers = "index2.txt";
    private const int MostFolders = 10_000;

    /// <summary>Places of images, symbols and module files; those of images also for Linux cores.</summary>
    public WindowsReadOptions Files { get; init; } = new();

    /// <summary>
    /// The runtime's data-access library: where it is, and whether and how far it is asked. What it is asked for <see cref="ManagedQuestions"/> says.
    /// </summary>
    public ClrReadOptions Managed { get; init; } = new();

    /// <summary>On Linux: how to read the managed half of Windows dumps under Wine; null not to read it.</summary>
    public WineReadOptions? Wine { get; init; }

    /// <summary>True to leave out what strings of the dumped process say.</summary>
    public bool WithholdsStrings { get; init; }

    /// <summary>
    /// Keeps what was read for the next question about the same dump; null to keep nothing. For sessions whose settings differ in places of files alone.
    /// </summary>
    public KeptSnapshots? Kept { get; init; }

    /// <summary>Where PDB files are.</summary>
    public SymbolSearchPath SymbolDirectories => SymbolSearchPath.Parse(Files.SymbolPath);

    /// <summary>
    /// One text for equal conditions: places of images, symbols and the runtime, and when files came into the directories, or the folders of symbol stores, or
    /// left them.
    /// </summary>
    internal string Conditions()
    {
        IEnumerable<string> directories = Files.ImageDirectories.Concat(SymbolDirectories.Directories);
        return string.Join('\0', [
            .. Files.ImageDirectories, "symbols", Files.SymbolPath, "files", .. Files.ModuleFiles, "runtime", Managed.DacDirectory,
            Wine?.Program, "times", .. directories.Append(Managed.DacDirectory ?? "").Select(Changed),
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
