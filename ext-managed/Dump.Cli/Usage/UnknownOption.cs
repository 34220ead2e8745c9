using System.CommandLine;
using System.CommandLine.Parsing;

namespace Dump.Cli.Usage;

/// <summary>Options that the command has not got: what to give instead.</summary>
internal static class UnknownOption
{
    private const string Version = "--version";

    /// <summary>Finds the first one on a command line.</summary>
    /// <param name="parsed">The command line.</param>
    /// <returns>What is wrong and what to do, as one sentence; null when there is none.</returns>
    public static string? Find(ParseResult parsed)
    {
        Command command = parsed.CommandResult.Command;
        IEnumerable<string> given = Words(parsed.CommandResult).Concat(parsed.UnmatchedTokens);

        // What stands behind -- is a name, and so is what is there as a file.
        HashSet<string> names = [.. parsed.Tokens.SkipWhile(t => t.Type != TokenType.DoubleDash).Skip(1).Select(t => t.Value)];
        return given.FirstOrDefault(w => w is ['-', _, ..] && !names.Contains(w) && !Path.Exists(w)) is { } word ? Sentence(word, command, parsed) : null;
    }

    private static IEnumerable<string> Words(CommandResult command) =>
        command.Children.OfType<ArgumentResult>().SelectMany(a => a.Tokens.Select(t => t.Value));

    private static string Sentence(string word, Command command, ParseResult parsed)
    {
        string name = word.Split('=', 2)[0];
        string wrong = command is RootCommand ? $"there is no option '{name}' here" : $"{command.Name} has no option '{name}'";
        Command root = parsed.RootCommandResult.Command;
        Option[] own = [.. CommandLines.Options(command)];
        string[] words = [.. Words(parsed.CommandResult).Concat(parsed.UnmatchedTokens)];
        if (own.SelectMany(CommandLines.Names).FirstOrDefault(n => n.Equals(name, StringComparison.OrdinalIgnoreCase)) is { } written)
        {
            return $"{wrong}; did you mean {written}?";
        }

        IEnumerable<string> translations = ForeignWords.Option(name).Where(f => f != Version || parsed.Tokens.Count == 1);
        if (translations.FirstOrDefault(t => own.Any(o => o.Name == t.Split(' ')[0])) is { } translated)
        {
            return $"{wrong}; give: {translated}";
        }

        if (ForeignWords.NamesFile(name) && command.Arguments.Any(a => a.Name == "FILE"))
        {
            return $"{wrong}; give the dump without one: {CommandLines.WithFile(CommandLines.Shortest(command), words)}";
        }

        if (ForeignWords.NamesProcess(name))
        {
            string? id = words.SkipWhile(w => w != word).Skip(1).FirstOrDefault(w => w.All(char.IsAsciiDigit));
            return $"{wrong}; for a living process: dumpanalyze live {id ?? "PID"}";
        }

        return Elsewhere(name, command, root) is { } other
                ? $"{wrong}, but {Owner(other.Command)} has it: {Elsewhere(other, words)}"
            : Near(name, own) is { } near ? $"{wrong}; did you mean {near}?"
            : $"{wrong}; to see all options: {CommandLines.Path(command)} --help (put -- before the name of a file)";
    }

    private static (Command Command, Option Option)? Elsewhere(string name, Command command, Command root) => CommandLines.Below(root).Prepend(root)
        .Where(c => c != command)
        .SelectMany(c => c.Options.Where(o => !o.Hidden).Select(o => ((Command Command, Option Option)?)(c, o)))
        .Where(p => CommandLines.Names(p!.Value.Option).Contains(name, StringComparer.OrdinalIgnoreCase))
        .FirstOrDefault();

    /// <summary>The line of the other command. A name takes the place of FILE where it analyses one, never that of a file to write.</summary>
    private static string Elsewhere((Command Command, Option Option) other, string[] words)
    {
        string line = Line(other.Command, other.Option);
        return other.Command is RootCommand || other.Command.Arguments.Any(a => a.Name == "FILE") ? CommandLines.WithFile(line, words) : line;
    }

    private static string? Near(string name, IEnumerable<Option> options) =>
        Spelling.Nearest(name, options.Where(o => !o.Hidden).SelectMany(CommandLines.Names).Where(n => n.StartsWith("--", StringComparison.Ordinal)));

    private static string Owner(Command command) => command is RootCommand ? "the verdict" : command.Name;

    private static string Line(Command command, Option option) =>
        option.Required ? CommandLines.Shortest(command) : $"{CommandLines.Shortest(command)} {CommandLines.Of(option)}";
}
