using System.CommandLine;
using System.Text.RegularExpressions;
using Dump.Cli.Commands;
using Dump.Cli.Context;
using Dump.Cli.Usage;
using Dump.Triage.Children;

namespace Dump.EndToEnd.Tests.RepositoryRules;

/// <summary>A command line of this program as a page shows it, without the name of the program.</summary>
/// <param name="Words">Its words as a shell takes them. Square brackets and dots, which only say what may be left out or repeated, are gone.</param>
internal sealed partial record DocumentedCommand(IReadOnlyList<string> Words)
{
    private static readonly RootCommand s_root = CommandTree.Create(new RunContext(new ChildMark()));
    private static readonly HashSet<string> s_commands = [.. s_root.Subcommands.Where(c => !c.Hidden).Select(c => c.Name)];

    /// <summary>
    /// The command lines in a piece of code: what a shell would run as <c>dumpanalyze</c>, and a piece that begins with a command and has more words
    /// (<c>live PID --keep FILE</c>). A line with optional parts is several: one without them, and one with each of them.
    /// </summary>
    /// <param name="code">A line of a block, or a piece within a sentence.</param>
    public static IEnumerable<DocumentedCommand> In(string code) => Variants(code).SelectMany(Commands).Select(Arguments).OfType<string[]>()
        .Select(words => new DocumentedCommand([.. words.Select(w => w.Replace("...", "", StringComparison.Ordinal)).Where(w => w.Length > 0)]))
        .Where(c => c.Words.Count > 0).DistinctBy(c => c.ToString());

    /// <summary>Its options that the program knows or should know: all words that begin like one.</summary>
    public IEnumerable<string> Options => Words.Where(w => w.StartsWith("--", StringComparison.Ordinal)).Select(w => w.Split('=')[0]);

    /// <summary>The same command with values in place of its placeholders.</summary>
    /// <param name="value">The value for a word, by the argument or option that takes it.</param>
    public string[] With(Func<Symbol, string, string> value)
    {
        Command command = s_root;
        List<string> given = [];
        int argument = 0;
        for (int i = 0; i < Words.Count; i++)
        {
            string word = Words[i];
            if (argument == 0 && command.Subcommands.FirstOrDefault(c => c.Name == word) is { } below)
            {
                command = below;
                given.Add(word);
            }
            else if (word.StartsWith('-') && CommandLines.Options(command).FirstOrDefault(o => CommandLines.Names(o).Contains(word)) is { } option)
            {
                given.Add(word);
                int values = option is Option<bool> ? 0 : Math.Max(option.Arity.MinimumNumberOfValues, option.Arity.MaximumNumberOfValues > 0 ? 1 : 0);
                given.AddRange(Words.Skip(i + 1).Take(values).Select(w => value(option, w)));
                i += values;
            }
            else if (!word.StartsWith('-') && command.Arguments.Count > 0)
            {
                Argument taking = command.Arguments[Math.Min(argument, command.Arguments.Count - 1)];
                given.Add(value(taking, word));
                argument += 1;
            }
            else
            {
                given.Add(word);
            }
        }

        return [.. given];
    }

    /// <summary>As it is on the page.</summary>
    public override string ToString() => string.Join(' ', Words);

    /// <summary>The line without its parts in brackets, and with each of them alone.</summary>
    private static IEnumerable<string> Variants(string code) => Optional().Matches(code)
        .Select(part => Optional().Replace(code, m => m.Index == part.Index ? m.Groups[1].Value : "")).Prepend(Optional().Replace(code, ""));

    /// <summary>What follows the program's name in a command, or the whole of one that begins with a command of this program; null for other programs.</summary>
    private static string[]? Arguments(string[] words)
    {
        string[] own = [.. words.SkipWhile(w => w is "$" or "-" or "run:")];
        int last = Array.FindLastIndex(own, w => w == "--");
        return own is [] ? null
            : IsProgram(own[0]) ? own[1..]
            : own[0] is "sudo" or "kubectl" or "claude" && Array.FindLastIndex(own, IsProgram) is > 0 and var at && (own[0] == "sudo" || own[at - 1] == "--")
                ? own[(at + 1)..]
            : own is ["dotnet", "run", ..] && own.Contains("ext-managed/Dump.Cli") && last > 0 ? own[(last + 1)..]
            : own is ["podman", "run", ..] && Array.FindIndex(own, w => w.Contains("/dumpanalyze:", StringComparison.Ordinal)) is > 0 and var image ? own[(image + 1)..]
            : s_commands.Contains(own[0]) && own.Length > 1 ? own
            : null;
    }

    private static bool IsProgram(string word) => ProgramName().IsMatch(word);

    /// <summary>The simple commands of a line as the words of a shell: comments are left out, and so is what output is sent to.</summary>
    private static IEnumerable<string[]> Commands(string line)
    {
        List<string> words = [];
        foreach (Match match in Word().Matches(line))
        {
            if (match.Groups["comment"].Success)
            {
                break;
            }

            if (match.Groups["end"].Success)
            {
                yield return [.. words];
                words.Clear();
            }
            else if (match.Groups["word"] is { Success: true, Value: var word })
            {
                string plain = word.Replace("'", "", StringComparison.Ordinal).Replace("\"", "", StringComparison.Ordinal);
                if (plain.Contains("dumpanalyze.exe ", StringComparison.Ordinal))
                {
                    // A task's whole command line is one argument of schtasks.
                    yield return plain.Split(' ', StringSplitOptions.RemoveEmptyEntries);
                }
                else
                {
                    words.Add(plain);
                }
            }
        }

        yield return [.. words];
    }

    /// <summary>One step of a shell's reading: a comment, the end of a command, where output goes, or a word with quoted parts.</summary>
    [GeneratedRegex("""
        (?<comment>(?<!\S)\#.*)
        | (?<end>&&|\|\||[;|&{}()]|<\()
        | [<>]+\ *[^\s;|&()]*
        | (?<word>(?:"[^"]*"|'[^']*'|[^\s;|&{}()<>"'])+)
        """, RegexOptions.IgnorePatternWhitespace)]
    private static partial Regex Word();

    [GeneratedRegex(@"\[([^\[\]]*)\]")]
    private static partial Regex Optional();

    [GeneratedRegex(@"^(?:\S*[/\\])?dumpanalyze(?:\.exe)?$")]
    private static partial Regex ProgramName();
}
