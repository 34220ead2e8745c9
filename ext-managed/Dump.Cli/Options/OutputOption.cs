using System.CommandLine;
using System.CommandLine.Parsing;
using Dump.Triage.Discovery;

namespace Dump.Cli.Options;

/// <summary>An option that names a file to write. What is wrong with the name is said before anything is analysed.</summary>
internal sealed class OutputOption : Option<string?>
{
    /// <summary>Makes one.</summary>
    /// <param name="name">Name of the option, with its hyphens.</param>
    /// <param name="description">What is written there.</param>
    public OutputOption(string name, string description)
        : base(name)
    {
        Description = description;
        HelpName = "FILE";
        Validators.Add(Check);
    }

    /// <summary>The first file of a command line at whose place nothing can be written, tried without touching what is there; null when all can be.</summary>
    /// <param name="parsed">A command line of which nothing is wrong.</param>
    /// <returns>What is wrong and what to do, as one sentence without a full stop.</returns>
    public static string? Unwritable(ParseResult parsed)
    {
        foreach (OutputOption option in parsed.CommandResult.Command.Options.OfType<OutputOption>())
        {
            if (parsed.GetValue(option) is { } path && ReportFile.Refusal(path) is { } reason)
            {
                return $"{option.Name} {path}: {reason}; name a file elsewhere";
            }
        }

        return null;
    }

    private void Check(OptionResult result)
    {
        if (result.GetValueOrDefault<string?>() is { } path && Problem(path) is { } problem)
        {
            result.AddError(path.Length == 0 ? $"{Name}: {problem}." : $"{Name} {path}: {problem}.");
        }
    }

    private static string? Problem(string path) =>
        path.Length == 0 ? "the name is empty; give a file"
        : path == "-" ? "this is written to a file, not to standard output; name one (./- for a file of that name)"
        : Directory.Exists(path) ? "this is a folder; name a file"
        : Path.EndsInDirectorySeparator(path) ? "this names a folder; name a file"
        : Path.GetDirectoryName(Path.GetFullPath(path)) is { } folder && !Directory.Exists(folder) && !EntryStatus.IsHidden(folder)
            ? $"there is no such directory: {folder}; make it first, or name a file elsewhere"
        : null;
}
