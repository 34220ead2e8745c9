using System.CommandLine;
using System.CommandLine.Parsing;
using Dump.Capture.Watching.Looks;
using Dump.Cli.Options;

namespace Dump.Cli.Usage;

/// <summary>
/// Command lines that are none of this program's and can mean one thing only: <c>help</c>, <c>--json</c>, <c>-p PID</c>, a process or a folder in the place of a
/// dump. A file of the name that was given always comes first.
/// </summary>
internal static class MeantCommandLine
{
    /// <summary>The option that others have for <c>--format json</c>.</summary>
    public const string Json = "--json";

    private const string Help = "help", HelpOption = "--help", Version = "version", VersionOption = "--version", Format = "--format";
    private static readonly string[] s_places = ["--out", "-o", "--store", TriageSettings.ListName];

    /// <summary>The command line that was meant; the same one where it is the program's own, or might mean something else.</summary>
    /// <param name="arguments">As it was typed.</param>
    /// <param name="parsed">The same, parsed.</param>
    /// <param name="parse">Parses another one.</param>
    public static string[] Of(string[] arguments, ParseResult parsed, Func<string[], ParseResult> parse)
    {
        if ((arguments is [Version] && !Path.Exists(Version)) || (arguments is [VersionOption, .. var beside] && beside.All(a => a is not ['-', ..])))
        {
            return [VersionOption];
        }

        Command root = parsed.RootCommandResult.Command;
        if (arguments is [var first, var name, .. var behind] && root.Subcommands.Any(c => c.Name == name && c.Subcommands.Any(l => l.Name == LiveOptions.CommandName))
            && IsProcess([first]))
        {
            return [name, LiveOptions.CommandName, first, .. behind];
        }

        (Command command, int depth) = Named(arguments, root);
        if (HelpOn(arguments, root, command, depth) is { } help)
        {
            return help;
        }

        string[] formed = WithFormat(arguments, command);
        parsed = formed == arguments ? parsed : parse(formed);
        CommandResult given = parsed.CommandResult;
        string[] words = [.. given.Children.OfType<ArgumentResult>().SelectMany(a => a.Tokens.Select(t => t.Value)), .. parsed.UnmatchedTokens];
        return CommandLines.Path(given.Command) != CommandLines.Path(command) || words.Length == 0 ? formed
            : OfProcess(formed, command, depth, words) ?? (command == root ? OfFolder(formed, root, words) : null) ?? formed;
    }

    /// <summary>The command that a command line begins with, and of how many words its name is.</summary>
    private static (Command Command, int Depth) Named(string[] arguments, Command root)
    {
        Command command = root;
        int depth = 0;
        while (depth < arguments.Length && command.Subcommands.FirstOrDefault(c => !c.Hidden && c.Name == arguments[depth]) is { } below)
        {
            (command, depth) = (below, depth + 1);
        }

        return (command, depth);
    }

    /// <summary><c>help</c>, <c>help COMMAND</c>, <c>COMMAND help</c>.</summary>
    private static string[]? HelpOn(string[] arguments, Command root, Command command, int depth) =>
        depth == 0 && arguments is [Help, .. var topic] && !Path.Exists(Help) && Named(topic, root).Depth == topic.Length ? [.. topic, HelpOption]
        : command != root && depth == arguments.Length - 1 && arguments[depth] == Help && !Path.Exists(Help) ? [.. arguments[..depth], HelpOption]
        : null;

    /// <summary>A process in the place of a dump, or behind an option that names one elsewhere.</summary>
    private static string[]? OfProcess(string[] arguments, Command command, int depth, string[] words)
    {
        if (command.Name != LiveOptions.CommandName && command.Subcommands.All(c => c.Name != LiveOptions.CommandName))
        {
            return null;
        }

        string[] path = [.. arguments[..depth], .. command.Name == LiveOptions.CommandName ? (string[])[] : [LiveOptions.CommandName]];
        string[] rest = arguments[depth..];
        int option = Array.FindIndex(rest, r => ForeignWords.NamesProcess(r.Split('=', 2)[0]));
        if (option >= 0 && words[0] == rest[option] && !Path.Exists(rest[option]))
        {
            return rest[option].Split('=', 2) is [_, var value] ? [.. path, value, .. rest[..option], .. rest[(option + 1)..]]
                : option + 1 < rest.Length ? [.. path, rest[option + 1], .. rest[..option], .. rest[(option + 2)..]] : null;
        }

        return command.Name != LiveOptions.CommandName && IsProcess(words) ? [.. path, .. rest] : null;
    }

    /// <summary>True for the id or the name of a living process. A word that is known from elsewhere, or stands before a dump, is a command's.</summary>
    private static bool IsProcess(string[] words) =>
        words[0] is [not '-', ..] word && !Path.Exists(word) && !word.AsSpan().ContainsAny('/', '\\') && ForeignWords.Command(word) is null
        && !words.Skip(1).Any(File.Exists) && (word.All(char.IsAsciiDigit) ? ProcessLooks.Lives(word) : ProcessLooks.Named(word).Count > 0);

    /// <summary>Folders in the place of dumps, with options of <c>triage</c> alone: what hangs in them, at once. A whole disk or everything that the user has is hardly meant.</summary>
    private static string[]? OfFolder(string[] arguments, Command root, string[] words)
    {
        Command triage = root.Subcommands.First(c => c.Name == TriageSettings.CommandName);
        HashSet<string> known = [.. CommandLines.Options(triage).SelectMany(CommandLines.Names)];
        string[] folders = [.. words.TakeWhile(w => w is not ['-', ..])];
        return folders.Length > 0 && folders.All(IsFolderOfDumps)
            && arguments.Where(a => a is ['-', ..]).All(a => known.Contains(a.Split('=', 2)[0]))
            ? [triage.Name, .. arguments, .. arguments.Any(a => s_places.Contains(a.Split('=', 2)[0])) ? (string[])[] : [TriageSettings.ListName]] : null;
    }

    private static bool IsFolderOfDumps(string folder)
    {
        if (!Directory.Exists(folder))
        {
            return false;
        }

        string path = Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder));
        return path != Path.GetPathRoot(path) && path != Environment.GetFolderPath(Environment.SpecialFolder.UserProfile);
    }

    /// <summary><c>--json</c> where a command has <c>--format json</c> for it.</summary>
    private static string[] WithFormat(string[] arguments, Command command)
    {
        HashSet<string> options = [.. CommandLines.Options(command).SelectMany(CommandLines.Names)];
        int at = Array.IndexOf([.. arguments.TakeWhile(a => a != "--")], Json);
        bool isValue = at > 0 && CommandLines.Options(command).FirstOrDefault(o => CommandLines.Names(o).Contains(arguments[at - 1])) is { } before
            and not Option<bool> && before.Arity.MinimumNumberOfValues > 0;
        return at < 0 || isValue || options.Contains(Json) || !options.Contains(Format) || Path.Exists(Json) ? arguments
            : [.. arguments[..at], Format, "json", .. arguments[(at + 1)..]];
    }
}
