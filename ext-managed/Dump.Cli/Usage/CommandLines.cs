using System.CommandLine;
using System.CommandLine.Parsing;

namespace Dump.Cli.Usage;

/// <summary>Command lines as they should be typed, made of the definitions of commands.</summary>
internal static class CommandLines
{
    /// <summary>Name of the program, whatever its file is called.</summary>
    public const string Program = "dumpanalyze";

    /// <summary>The option of triage that is needed unless another one names the place of the records.</summary>
    private const string Place = "--out";

    /// <summary>Version of the program, for example <c>0.5.0</c>.</summary>
    public static string Version { get; } = typeof(CommandLines).Assembly.GetName().Version?.ToString(3) ?? "0.0.0";

    /// <summary>Program and command, for example <c>dumpanalyze tasks live</c>.</summary>
    public static string Path(Command command) =>
        command is RootCommand ? Program : $"{(command.Parents.OfType<Command>().FirstOrDefault() is { } above ? Path(above) : Program)} {command.Name}";

    /// <summary>The same with the arguments and options that must be given, for example <c>dumpanalyze triage DIR --out DIR</c>.</summary>
    /// <param name="command">The command.</param>
    /// <param name="given">What was given of its arguments; null for nothing.</param>
    public static string Shortest(Command command, CommandResult? given = null) => string.Join(' ', command.Arguments
        .Where(a => a.Arity.MinimumNumberOfValues > 0)
        .Select(a => given?.GetResult(a) is { Tokens: [var value, ..] } && IsPlain(value.Value) ? value.Value : a.Name)
        .Concat(command.Options.Where(o => o.Required || o.Name == Place).Select(Of))
        .Prepend(Path(command)));

    /// <summary>A command line with the dump that was given in place of <c>FILE</c>.</summary>
    /// <param name="line">The command line, as help would show it.</param>
    /// <param name="words">What was given; the first of them that is there as a file is taken for the dump.</param>
    public static string WithFile(string line, IEnumerable<string> words) =>
        line.IndexOf(" FILE", StringComparison.Ordinal) is var at and >= 0 && words.FirstOrDefault(w => IsPlain(w) && File.Exists(w)) is { } file
            ? string.Concat(line.AsSpan(0, at + 1), file, line.AsSpan(at + " FILE".Length))
            : line;

    /// <summary>A word as a shell takes it.</summary>
    public static string Quoted(string word) => IsPlain(word) ? word : $"\"{word}\"";

    /// <summary>True for a word that a shell takes as it is.</summary>
    public static bool IsPlain(string word) => word.Length > 0 && word.All(c => char.IsLetterOrDigit(c) || c is '/' or '\\' or '.' or '-' or '_' or ':');

    /// <summary>An option with what it takes, for example <c>--stacks evidence|all</c>.</summary>
    public static string Of(Option option) =>
        option.Arity.MaximumNumberOfValues == 0 || option is Option<bool> ? option.Name : $"{option.Name} {option.HelpName}";

    /// <summary>All commands below one that help shows, each before those below it.</summary>
    public static IEnumerable<Command> Below(Command command) =>
        command.Subcommands.Where(c => !c.Hidden).SelectMany(c => Below(c).Prepend(c));

    /// <summary>The options of a command that help shows, with those for help that the program has everywhere.</summary>
    public static IEnumerable<Option> Options(Command command) => command.Options.Where(o => !o.Hidden)
        .Concat(command is RootCommand ? [] : command.Parents.OfType<Command>().SelectMany(Options).Where(o => o.Recursive));

    /// <summary>All names of an option.</summary>
    public static IEnumerable<string> Names(Option option) => option.Aliases.Prepend(option.Name);
}
