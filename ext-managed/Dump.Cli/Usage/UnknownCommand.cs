using System.CommandLine;
using Dump.Analysis;

namespace Dump.Cli.Usage;

/// <summary>A first word that is neither a command nor a file: what to type instead.</summary>
internal static class UnknownCommand
{
    /// <summary>What is wrong and what to do, as one sentence; null when the word rather is the name of a file.</summary>
    /// <param name="words">The command line without options; its first word is no command.</param>
    /// <param name="root">The program's commands.</param>
    public static string? Sentence(IReadOnlyList<string> words, Command root)
    {
        string word = words[0];
        // A name with a dot or a folder in it is that of a file.
        if (Path.Exists(word) || (ForeignWords.Command(word) is null && word.AsSpan().ContainsAny('/', '\\', '.')))
        {
            return null;
        }

        Command[] commands = [.. root.Subcommands.Where(c => !c.Hidden)];
        string wrong = $"there is no command '{word}' and no file of that name";
        return ForeignWords.Command(word) is { } advice ? $"{wrong}; {CommandLines.WithFile(advice, words)}"
            : DetectorRegistry.Descriptors.Any(d => d.Id.Equals(word, StringComparison.OrdinalIgnoreCase)) ? $"{wrong}; to read about the detector: dumpanalyze explain {word}"
            : Spelling.Nearest(word, commands.Select(c => c.Name)) is { } near
                ? $"{wrong}; did you mean: {CommandLines.WithFile(CommandLines.Shortest(commands.First(c => c.Name == near)), words)}"
            : null;
    }
}
