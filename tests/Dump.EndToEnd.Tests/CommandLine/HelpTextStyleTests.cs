using System.CommandLine;
using System.Text.RegularExpressions;
using Dump.Cli.Commands;
using Dump.Cli.Context;
using Dump.Cli.Options;
using Dump.Cli.Usage;
using Dump.EndToEnd.Tests.RepositoryRules;
using Dump.Triage.Children;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>The help of every command is plain English, as the pages are: its descriptions, its lessons, and those of its arguments and options.</summary>
public sealed partial class HelpTextStyleTests
{
    /// <summary>The commands that help shows, as they are typed.</summary>
    public static TheoryData<string> Commands => [.. All().Select(CommandLines.Path)];

    [Theory]
    [MemberData(nameof(Commands))]
    public void Sentences_are_short_and_plain(string command)
    {
        string faults = string.Join('\n', PlainEnglish.Faults(Texts(All().Single(c => CommandLines.Path(c) == command)).SelectMany(Sentences)));
        Assert.True(faults.Length == 0, faults);
    }

    /// <summary>Else the check proves nothing.</summary>
    [Fact]
    public void Wrong_sentence_is_found() => Assert.Equal(
        ["a semicolon: Lists it; asks.", "'living': It is living (once).", "26 words: a b c d e f g h i j k l m n o p q r s t u v w x y z."],
        PlainEnglish.Faults(Sentences("Lists it; asks. It is living (once). Fine.\n\nExamples:\n  dumpanalyze a; b   of a living one\n\na b c d e f g h i j k l m n o p q r s t u v\nw x y z.")));

    private static IEnumerable<Command> All()
    {
        RootCommand root = CommandTree.Create(new RunContext(new ChildMark()));
        return CommandLines.Below(root).Prepend(root);
    }

    private static IEnumerable<string> Texts(Command command) =>
        new[] { command.Description, (command as TeachingCommand)?.Lesson }
            .Concat(command.Arguments.Where(a => !a.Hidden).Select(a => a.Description))
            .Concat(CommandLines.Options(command).Select(o => o.Description)).OfType<string>();

    /// <summary>The sentences of a text: its paragraphs but for indented lines, which are examples and tables, and the list of exit codes.</summary>
    private static IEnumerable<string> Sentences(string text) => text.ReplaceLineEndings("\n").Split("\n\n")
        .Where(p => !p.StartsWith("Exit code", StringComparison.Ordinal))
        .Select(p => string.Join(' ', p.Split('\n').Where(l => !l.StartsWith(' '))))
        .SelectMany(p => SentenceEnd().Split(p)).Select(s => s.Trim()).Where(s => s.Length > 0);

    [GeneratedRegex(@"(?<=[.!?:])\s+(?=[A-Z-])")]
    private static partial Regex SentenceEnd();
}
