using System.Collections.Frozen;
using System.CommandLine;
using System.CommandLine.Parsing;
using Dump.Analysis;
using Dump.Model.Contract;
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

        string? misplaced = Misplaced(parsed.CommandResult) ?? Swallowed(parsed.CommandResult);
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

    /// <summary>An option that another one has taken for its value.</summary>
    private static string? Swallowed(CommandResult command)
    {
        HashSet<string> names = [.. CommandLines.Options(command.Command).SelectMany(CommandLines.Names), MeantCommandLine.Json];
        return command.Children.OfType<OptionResult>().FirstOrDefault(o => !o.Implicit && o.Tokens is [{ Value: ['-', '-', ..] value }]
            && names.Contains(value) && !Path.Exists(value)) is { } given ? $"{given.Option.Name} needs a value: {CommandLines.Of(given.Option)}" : null;
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
            ? command is RootCommand ? "nothing to analyze is given; type: dumpanalyze FILE, or dumpanalyze live PID; for all commands: dumpanalyze --help"
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
        if (word == "help" && words is [_, var topic, ..])
        {
            return $"there is no command '{topic}'; to see all commands: dumpanalyze --help";
        }

        string wrong = $"there is no command '{word}' and no file of that name";
        return ForeignWords.Command(word) is { } advice ? $"{wrong}; {CommandLines.WithFile(advice, words)}"
            : DetectorRegistry.Descriptors.Any(d => d.Id.Equals(word, StringComparison.OrdinalIgnoreCase)) ? $"{wrong}; to read about the detector: dumpanalyze explain {word}"
            : Spelling.Nearest(word, commands.Select(c => c.Name)) is { } near
                ? $"{wrong}; did you mean: {CommandLines.WithFile(CommandLines.Shortest(commands.First(c => c.Name == near)), words)}"
            : null;
    }
}

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
            return $"{wrong}; for a live process: dumpanalyze live {id ?? "PID"}";
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

/// <summary>Words of debuggers and other command lines that people try here, and what does the same here.</summary>
internal static class ForeignWords
{
    private const string Verdict = "the verdict needs no command: dumpanalyze FILE";
    private const string Help = "to see all commands: dumpanalyze --help";
    private const string Processes = "to list live .NET processes: dumpanalyze live";
    private const string Stacks = "to see all stacks: dumpanalyze threads FILE";
    private const string Chains = "to see who waits for whom: dumpanalyze lockchain FILE";
    private const string Writing =
        "dumps are written by other programs (procdump -ma PID, dotnet-dump collect -p PID); to inspect a live process: dumpanalyze live PID";
    private const string Two = "to compare dumps of one process, name them: dumpanalyze FIRST SECOND";
    private const string Folder = "to analyze a folder of dumps: dumpanalyze triage DIR --out OUT";
    private const string Missing = "to get what is missing here, when asked: dumpanalyze fetch FILE";
    private const string Page = "to write a page: dumpanalyze FILE --html PAGE.html";
    private const string Pages = $"to read about a detector: dumpanalyze explain {DetectorIds.CannotAnswer}";

    private static readonly FrozenDictionary<string, string> s_commands = Table(
        (Verdict, ["analyze", "analyse", "analysis", "verdict", "run", "open", "check", "diagnose", "show", "!analyze", "report", "hang", "inspect", "read",
            "load"]),
        (Help, ["help", "?", "h", "usage", "commands"]),
        ("to see the version: dumpanalyze --version", ["version", "ver"]),
        (Processes, ["ps", "list", "processes", "process", "attach", "pid"]),
        (Stacks, ["stack", "stacks", "bt", "backtrace", "clrstack", "clrthreads", "parallelstacks", "pstacks", "~*k", "k", "eestack"]),
        (Chains, ["deadlock", "deadlocks", "chain", "chains", "waits", "waitchain", "wct", "wait"]),
        ("to see locks with their owners: dumpanalyze locks FILE", ["syncblk", "!locks", "monitors", "criticalsections", "cs"]),
        ("to see pending async methods: dumpanalyze tasks FILE", ["dumpasync", "async", "await", "awaits"]),
        ("to see one object: dumpanalyze object FILE ADDRESS", ["dumpobj", "do", "printobj"]),
        ("to see the objects of a stack: dumpanalyze stackobjects FILE TID", ["dumpstackobjects", "dso"]),
        ("to find broken collections: dumpanalyze dictloop FILE", ["dictionary", "collections", "finddictionary"]),
        (Writing, ["collect", "dump", "capture", "procdump", "gcore", "createdump"]),
        (Two, ["compare", "diff", "pair", "series"]),
        (Folder, ["folder", "batch", "dir", "all", "scan"]),
        ("to take dumps as they come: dumpanalyze triage DIR --out OUT --watch", ["monitor", "daemon", "service"]),
        ("to let an AI assistant ask: dumpanalyze mcp --root DIR", ["serve", "server", "assistant", "ai"]),
        (Page, ["html", "page", "view"]),
        ("to see all streams: dumpanalyze raw FILE", ["info", "streams", "header", "headers"]),
        ("to list what is looked for: dumpanalyze detectors", ["rules", "checks"]),
        (Missing, ["download", "symchk", "dotnet-symbol", "get", "install"]),
        (Pages, ["docs", "doc", "why", "describe"]));

    private static readonly FrozenDictionary<string, string[]> s_options = Options(
        ("--format json", ["--json", "-json", "--as-json", "--output-format"]),
        ("--format dml", ["--dml"]),
        ("--version", ["-v", "-version"]),
        ("--stacks all", ["--verbose", "-v", "-vv", "--all", "-a", "--all-stacks", "--full", "--threads", "--stack"]),
        ("--brief", ["--quiet", "-q", "--silent", "--short", "--summary", "-s"]),
        ("--html FILE for a page (the text goes to standard output: > FILE)", ["--output", "-o", "--out", "--report", "--page"]),
        ("--out DIR", ["--output", "--outdir", "--output-dir", "-d"]),
        ("--symbols PATH", ["-y", "--sympath", "--symbol-path", "--symbol", "--pdb", "--pdbs"]),
        ("--images DIR", ["-i", "--image-path", "--image", "--binaries", "--modules"]),
        ("--dac DIR", ["--dac-path", "--dacpath", "--runtime"]),
        ("--no-color", ["--no-colour", "--nocolor", "--nocolour", "--color=never", "--plain"]),
        ("--only NAMES", ["--detector", "--detectors", "--rules", "--filter", "--family"]),
        ("--heap", ["--all", "-a", "--full", "--everything"]),
        ("--sort cpu", ["--cpu", "--by-cpu"]),
        ("--jobs N", ["--parallel", "--threads", "--workers", "-n"]),
        ("--samples N", ["-n", "--count"]),
        ("--interval TIME", ["-t", "--seconds", "--duration"]),
        ("--keep FILE", ["--save", "--dump"]));

    private static readonly FrozenSet<string> s_fileOptions =
        new[] { "--file", "-f", "--dump", "-z", "--input", "--core", "-c", "--path", "--dump-file" }.ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    private static readonly FrozenSet<string> s_processOptions =
        new[] { "-p", "--pid", "--process-id", "--process", "--attach" }.ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    /// <summary>What does here what a command of that name does elsewhere, as a clause that ends in a command line; null for unknown words.</summary>
    public static string? Command(string word) => s_commands.GetValueOrDefault(word.ToLowerInvariant());

    /// <summary>The options, with their values, that do here what an option of that name does elsewhere.</summary>
    public static IReadOnlyList<string> Option(string name) => s_options.GetValueOrDefault(name.ToLowerInvariant()) ?? [];

    /// <summary>True for options that name the dump elsewhere.</summary>
    public static bool NamesFile(string option) => s_fileOptions.Contains(option);

    /// <summary>True for options that name a process elsewhere.</summary>
    public static bool NamesProcess(string option) => s_processOptions.Contains(option);

    private static FrozenDictionary<string, string> Table(params ReadOnlySpan<(string Advice, string[] Words)> rows)
    {
        Dictionary<string, string> table = [];
        foreach ((string advice, string[] words) in rows)
        {
            foreach (string word in words)
            {
                table.Add(word, advice);
            }
        }

        return table.ToFrozenDictionary();
    }

    private static FrozenDictionary<string, string[]> Options(params (string Own, string[] Foreign)[] rows) => rows
        .SelectMany(r => r.Foreign.Select(f => (Foreign: f, r.Own)))
        .GroupBy(p => p.Foreign)
        .ToFrozenDictionary(g => g.Key, g => g.Select(p => p.Own).ToArray());
}
