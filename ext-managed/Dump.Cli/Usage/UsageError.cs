using System.CommandLine;
using System.CommandLine.Parsing;
using Dump.Model.Text;

namespace Dump.Cli.Usage;

/// <summary>What is wrong with a command line, in one line that says what to type instead: the first thing that somebody would have to change.</summary>
internal static class UsageError
{
    /// <summary>The line for standard error, without control characters; null when nothing is wrong.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="arguments">The same as it was given.</param>
    public static string? Line(ParseResult parsed, string[] arguments) =>
        Sentence(parsed, arguments) is { } sentence ? $"{CommandLines.Program}: {SafeText.Clean(sentence).TrimEnd('.')}" : null;

    private static string? Sentence(ParseResult parsed, string[] arguments)
    {
        if (parsed.Errors.Count == 0 && parsed.Action != parsed.CommandResult.Command.Action)
        {
            // Help, version and completions are asked for at any place.
            return null;
        }

        string? misplaced = Misplaced(parsed.CommandResult);
        return misplaced is not null || parsed.Errors.Count == 0 ? misplaced
            : ValueOfSwitch(parsed, arguments)
                ?? FirstWord(parsed)
                ?? UnknownOption.Find(parsed)
                ?? parsed.CommandResult.Children.OfType<OptionResult>().Select(Of).FirstOrDefault(s => s is not null)
                ?? Missing(parsed.CommandResult)
                ?? Own(parsed)
                ?? Surplus(parsed)
                ?? parsed.Errors[0].Message;
    }

    /// <summary>Arguments and options before the command, where they would be taken for those of the verdict and then be forgotten.</summary>
    private static string? Misplaced(CommandResult command)
    {
        if (command.Parent is not CommandResult above)
        {
            return null;
        }

        string behind = string.Join(' ', above.Children.SelectMany(c => c is OptionResult { Implicit: false } option
            ? option.Tokens.Select(t => t.Value).Prepend(option.IdentifierToken?.Value ?? option.Option.Name)
            : c is ArgumentResult argument ? argument.Tokens.Select(t => t.Value) : []).Select(CommandLines.Quoted));
        return behind.Split(' ')[0] == "help" ? $"for the help of a command: {CommandLines.Path(command.Command)} --help"
            : behind.Length > 0 ? $"the command comes first: {CommandLines.Path(command.Command)} {behind}" : Misplaced(above);
    }

    /// <summary>What stands behind a switch and its equals sign, which the library takes for the next argument.</summary>
    private static string? ValueOfSwitch(ParseResult parsed, string[] arguments)
    {
        HashSet<string> switches = [.. CommandLines.Options(parsed.CommandResult.Command).OfType<Option<bool>>().SelectMany(CommandLines.Names)];
        string[]? given = arguments.TakeWhile(a => a != "--").Select(a => a.Split('=', 2)).FirstOrDefault(p => p.Length == 2 && switches.Contains(p[0]));
        return given is [var name, var value] && !bool.TryParse(value, out _) ? $"{name} takes no value; leave out '={value}'" : null;
    }

    private static string? FirstWord(ParseResult parsed) =>
        parsed.CommandResult.Command is RootCommand root
            && (string[])[.. parsed.CommandResult.Children.OfType<ArgumentResult>().SelectMany(a => a.Tokens.Select(t => t.Value))] is [_, ..] words
            ? UnknownCommand.Sentence(words, root)
            : null;

    private static string? Of(OptionResult given)
    {
        Option option = given.Option;
        return given.Implicit ? null
            : option is Option<bool> ? given.Tokens.Count > 0 && given.Errors.Any() ? $"{option.Name} takes no value; leave out '{given.Tokens[0].Value}'" : null
            : given.Tokens.Count < option.Arity.MinimumNumberOfValues ? $"{option.Name} needs a value: {CommandLines.Of(option)}"
            : given.Tokens.Count > option.Arity.MaximumNumberOfValues ? $"{option.Name} is given {given.Tokens.Count} times; give it once"
            : null;
    }

    private static string? Missing(CommandResult given)
    {
        Command command = given.Command;
        string line = CommandLines.Shortest(command, given);
        return command.Arguments.FirstOrDefault(a => a.Arity.MinimumNumberOfValues > 0 && given.GetResult(a) is null or { Tokens.Count: 0 }) is { } argument
            ? command is RootCommand ? "nothing to analyse is given; type: dumpanalyze FILE, or dumpanalyze live PID; for all commands: dumpanalyze --help"
                : $"{argument.Name} is missing; type: {line}"
            : command.Options.FirstOrDefault(o => o.Required && given.GetResult(o) is null or { Implicit: true }) is { } option
                ? $"{option.Name} is missing; type: {line}"
            : null;
    }

    /// <summary>What the program's own readers of values and names say, which is better than what the library does.</summary>
    private static string? Own(ParseResult parsed) => parsed.Errors.FirstOrDefault(e => e.SymbolResult is ArgumentResult or OptionResult)?.Message
        ?? (parsed.UnmatchedTokens.Count == 0 ? parsed.Errors[0].Message : null);

    private static string? Surplus(ParseResult parsed)
    {
        Command command = parsed.CommandResult.Command;
        return parsed.UnmatchedTokens is not [var first, ..] ? null
            : command.Arguments.Any(a => a.Arity.MaximumNumberOfValues is > 1 and < 100)
                ? "a series has 16 dumps of one process at most; for many dumps: dumpanalyze triage DIR --out OUT"
            : command.Options.Any(o => o.Name == "--thread") && first.StartsWith('~')
                ? $"to name a thread: {CommandLines.Shortest(command, parsed.CommandResult)} --thread {first}"
            : parsed.RootCommandResult.Command.Subcommands.Any(c => c.Name == first) ? $"one command at a time: leave out '{first}'"
            : $"'{first}' is one argument too many; type: {CommandLines.Shortest(command, parsed.CommandResult)}";
    }
}
