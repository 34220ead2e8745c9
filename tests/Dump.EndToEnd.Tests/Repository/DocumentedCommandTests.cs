using System.CommandLine;
using System.Text.RegularExpressions;
using Dump.Cli.Commands;
using Dump.Cli.Context;
using Dump.Cli.Options;
using Dump.Cli.Output;
using Dump.Cli.Usage;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Contract;
using Dump.Testing;
using Dump.Testing.Fixtures;
using Dump.Triage.Children;

namespace Dump.EndToEnd.Tests.RepositoryRules;

/// <summary>
/// Every command line of this program on the pages is one that the program takes: those in blocks of code as they are, and those within sentences but for
/// what they leave out. Those that need only a dump, a folder of dumps or records are run on fixtures too. Those with options for Windows are marked here,
/// and are refused on other systems for that reason alone.
/// </summary>
public sealed partial class DocumentedCommandTests : IDisposable
{
    /// <summary>Options of this program that Windows alone has.</summary>
    private static readonly HashSet<string> s_ofWindows = ["--hung-window", "--full", "--dump-writer"];

    /// <summary>Options on the pages that belong to other programs.</summary>
    private static readonly HashSet<string> s_ofOthers =
    [
        "--blame-hang", "--blame-hang-dump-type", "--blame-hang-timeout", "--cap-add", "--cores", "--custom", "--enable", "--executions", "--filter", "--from",
        "--global", "--hangdump", "--hangdump-timeout", "--hangdump-type", "--ignore-missing", "--image", "--input", "--looks", "--manifest", "--minutes",
        "--network", "--normal", "--now", "--output", "--profile", "--program", "--project", "--read-only", "--reader", "--results-directory", "--rm", "--runs",
        "--seed", "--self-contained", "--source", "--table", "--target", "--tmpfs", "--triage", "--type", "--victims", "--withheap",
    ];

    /// <summary>A process that lives wherever the tests do.</summary>
    private const string FirstProcess = "1";

    /// <summary>Commands that only read what they are given, and end by themselves.</summary>
    private static readonly HashSet<string> s_reading =
        ["lockchain", "locks", "threads", "tasks", "requests", "dictloop", "raw", "stackobjects", "triage", "merge", "detectors", "explain", "completions", "man"];

    /// <summary>What the program says of a command line from which only something is left out.</summary>
    private static readonly string[] s_leftOut = ["is missing", "needs a value", "when to capture"];

    /// <summary>Words of command lines that need more than a dump: a process, a network, a database server, Wine, or a second dump of one process.</summary>
    private static readonly HashSet<string> s_needMore = ["live", "--fetch", "--wine", "--watch", "--notify-url", "--notify-command", "--dac", "SECOND", "LATER"];

    private readonly string _folder = Directory.CreateTempSubdirectory("dump-documented-").FullName;

    /// <summary>The pages that people read, relative to the repository.</summary>
    public static TheoryData<string> Pages => DocumentationStyleTests.Pages;

    /// <summary>The command lines that can be run here, as the pages have them.</summary>
    public static TheoryData<string> Runnable =>
    [
        .. ((IEnumerable<object[]>)Pages).Select(p => (string)p[0]).SelectMany(p => Lines(p).Concat(Pieces(p).Where(IsWhole))).Where(IsRunnable)
            .Select(c => c.ToString()).Distinct(StringComparer.Ordinal).Order(StringComparer.Ordinal),
    ];

    [Theory]
    [MemberData(nameof(Pages))]
    public void Command_lines_of_a_page_are_those_of_the_program(string page) =>
        Assert.Empty(Lines(page).Select(c => (Command: c, Fault: Fault(c)))
            .Concat(Pieces(page).Select(c => (Command: c, Fault: Fault(c))).Where(c => !s_leftOut.Any(w => c.Fault?.Contains(w, StringComparison.Ordinal) == true)))
            .Where(c => c.Fault is not null).Select(c => $"{c.Command}: {c.Fault}"));

    [Theory]
    [MemberData(nameof(Pages))]
    public void Options_of_a_page_exist(string page)
    {
        HashSet<string> known = [.. OwnOptions(), .. s_ofOthers, MeantCommandLine.Json];
        Assert.Empty(OptionsOf(page).Except(known));
    }

    [Fact]
    public void Options_of_other_programs_are_on_a_page_and_not_of_this_one()
    {
        HashSet<string> given = [.. ((IEnumerable<object[]>)Pages).SelectMany(p => OptionsOf((string)p[0]))];
        Assert.Empty(s_ofOthers.Except(given));
        Assert.Empty(s_ofOthers.Intersect(OwnOptions()));
    }

    [Theory]
    [MemberData(nameof(Runnable))]
    public void Command_line_runs_on_a_fixture(string line)
    {
        DocumentedCommand command = new(line.Split(' '));
        if (command.Words[0] == "merge")
        {
            Assert.InRange(DumpAnalyze.RunAt(_folder, "triage", Dumps(), "--out", Records()).ExitCode, ExitCode.Confirmed, ExitCode.Crashed);
        }

        DumpAnalyze run = DumpAnalyze.RunAt(_folder, command.With(Value));
        Assert.True(run.ExitCode is 0 or >= ExitCode.Confirmed and < 20, $"{run.ExitCode}: {run.Error}");
    }

    [Fact]
    public void Most_commands_are_run() => Assert.InRange(((IEnumerable<object[]>)Runnable).Count(), 25, int.MaxValue);

    /// <summary>Else the check proves nothing.</summary>
    [Theory]
    [InlineData("dumpanalyze hang.dmp --stacks all   # all threads", "hang.dmp --stacks all", null)]
    [InlineData("$ dumpanalyze locks FILE [LATER ...]", "locks FILE", null)]
    [InlineData("dumpanalyze triage DIR --out OUT || { s=$?; }", "triage DIR --out OUT", null)]
    [InlineData("kubectl exec shop -c hang -- /app/dumpanalyze live PID --keep /dumps/hang.core", "live PID --keep /dumps/hang.core", null)]
    [InlineData("live PID --full", "live PID --full", null)]
    [InlineData("dumpanalyze hang.dmp --stack all", "hang.dmp --stack all", "there is no option '--stack' here; give: --stacks all")]
    [InlineData("dumpanalyze triage DIR", "triage DIR", "--out is missing")]
    [InlineData("merge OUT --page all.html", "merge OUT --page all.html", "merge has no option '--page'")]
    [InlineData("dumpanalyze lockchian hang.dmp", "lockchian hang.dmp", "there is no command 'lockchian'")]
    public void Wrong_command_is_found(string code, string expected, string? complaint)
    {
        DocumentedCommand command = DocumentedCommand.In(code).First();
        Assert.Equal(expected, command.ToString());
        string? fault = Fault(command);
        Assert.True(complaint is null ? fault is null : fault?.Contains(complaint, StringComparison.Ordinal) == true, fault);
    }

    [Theory]
    [InlineData("dotnet tool install --global dumpanalyze --source DIR")]
    [InlineData("procdump -ma PID")]
    [InlineData("threads")]
    [InlineData("# dumpanalyze hang.dmp")]
    public void Other_programs_are_left_alone(string code) => Assert.Empty(DocumentedCommand.In(code));

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static IEnumerable<string> OwnOptions()
    {
        RootCommand root = Root();
        return CommandLines.Below(root).Prepend(root).SelectMany(CommandLines.Options).SelectMany(CommandLines.Names);
    }

    private static IEnumerable<string> OptionsOf(string page) =>
        Page(page).CodeLines.Concat(Page(page).CodePieces).SelectMany(c => OptionName().Matches(c)).Select(m => m.Value).Distinct();

    private static MarkdownPage Page(string page) => new(Path.Combine(Repository.Root, page));

    private static IEnumerable<DocumentedCommand> Lines(string page) => Page(page).CodeLines.SelectMany(DocumentedCommand.In);

    private static IEnumerable<DocumentedCommand> Pieces(string page) => Page(page).CodePieces.SelectMany(DocumentedCommand.In);

    /// <summary>True when nothing is left out of it.</summary>
    private static bool IsWhole(DocumentedCommand command)
    {
        using DocumentedCommandTests places = new();
        return places.Fault(command) is null;
    }

    private static RootCommand Root() => CommandTree.Create(new RunContext(new ChildMark()));

    private static bool IsRunnable(DocumentedCommand command) => !command.Words.Any(w => s_needMore.Contains(w) || w.Contains("://", StringComparison.Ordinal))
        && command.Words[0] is var first && (s_reading.Contains(first) || IsDump(first)) && command.Words.Count(IsDump) < 2;

    private static bool IsDump(string word) => word is "FILE" or "DIR" or "FIRST" or [>= 'A' and <= 'Z'] || word.EndsWith(".dmp", StringComparison.Ordinal)
        || word.EndsWith(".core", StringComparison.Ordinal);

    /// <summary>What the program says of it, as it would be typed; null where it takes it.</summary>
    private string? Fault(DocumentedCommand command)
    {
        string[] arguments = command.With(Value);
        if (VersionReport.IsAsked(arguments))
        {
            return null;
        }

        ParseResult parsed = Parse(arguments);
        if (parsed.Errors.Count > 0)
        {
            arguments = MeantCommandLine.Of(arguments, parsed, Parse);
            parsed = Parse(arguments);
        }

        string? line = LiveOptions.AsksForProcesses(parsed) ? null : UsageError.Line(parsed, arguments);
        return line is null || (!OperatingSystem.IsWindows() && command.Options.Any(s_ofWindows.Contains) && line.Contains("Windows", StringComparison.Ordinal))
            ? null : line;
    }

    private static ParseResult Parse(string[] arguments) => Root().Parse(arguments, new ParserConfiguration { ResponseFileTokenReplacer = null });

    /// <summary>Something of the kind that an argument or option takes, in place of a placeholder or of a name that is only an example.</summary>
    private string Value(Symbol taking, string word) => taking.Name switch
    {
        "FILE" or "SECOND" or "LATER" when taking is Argument => word == "DIR" ? Dumps() : IsDump(word) || word is "SECOND" or "LATER" ? Copy(word) : word,
        "PID" => FirstProcess,
        "PROCESS" => word == "PID" ? FirstProcess : word,
        "DIR" => Dumps(),
        "OUT" => word.StartsWith("postgres", StringComparison.Ordinal) ? word : Records(),
        "ADDRESS" => "0x10000",
        "TID" or "--thread" => "1",
        "SHELL" => "bash",
        "ID" => word == "ID" ? "DUMP1001" : word,
        "--out" or "--store" or "--into" or "--export" => word.StartsWith("postgres", StringComparison.Ordinal) ? word : New(word),
        "--html" or "--csv" or "--junit" or "--sarif" or "--keep" or "--metrics" or "--notices" => New(word),
        "--json" => New(word),
        "--images" or "--dac" or "--root" or "--wine" => Program(),
        "--symbols" => $"{Dumps()};{word}",
        "--known-modules" => List("known-modules/1", "modules"),
        "--known-issues" => List("known-issues/1", "issues"),
        "--stacktags" when word != "default" => Tags(),
        "--notify-command" or "--check" when word is "PROGRAM" or ['/', ..] => "/bin/true",
        _ => word switch
        {
            "TIME" => "10s",
            "SIZE" => "1G",
            "N" => "3",
            "URL" => "https://example.org/",
            "LEVEL" => "likely",
            "TEMPLATE" => "https://git.example/{path}#L{line}",
            "PROGRAM" => "/bin/true",
            "PERCENT" => "90%",
            "i/n" => "1/4",
            _ => word,
        },
    };

    private string New(string word) => Path.Combine(_folder, $"new-{Path.GetFileName(word.TrimEnd('/'))}{(word.EndsWith('/') ? "/" : "")}");

    private string Copy(string word)
    {
        string name = Path.GetFileNameWithoutExtension(word), path = Path.Combine(_folder, $"{name}.dmp");
        if (!File.Exists(path))
        {
            File.Copy((Fixture.All.FirstOrDefault(f => f.Name == name) ?? Fixture.Named("loader-exit")).Path, path);
        }

        return path;
    }

    private string Dumps()
    {
        string folder = Directory.CreateDirectory(Path.Combine(_folder, "dumps")).FullName, dump = Path.Combine(folder, "a.dmp");
        if (!File.Exists(dump))
        {
            File.Copy(Fixture.Named("cs-cycle2").Path, dump);
        }

        return folder;
    }

    private string Records() => Directory.CreateDirectory(Path.Combine(_folder, "records")).FullName;

    /// <summary>A folder in which there could be the build for Windows.</summary>
    private string Program()
    {
        string folder = Directory.CreateDirectory(Path.Combine(_folder, "program")).FullName;
        File.WriteAllText(Path.Combine(folder, "dumpanalyze.exe"), "");
        return folder;
    }

    private string List(string schema, string list) => Written($"{list}.json", $$"""{ "schema": "{{schema}}", "{{list}}": [] }""");

    private string Tags() => Written("own.stacktags", "<Tag Name=\"\"><Tag Name=\"Shop\"><Entrypoint Module=\"shop.dll\" Method=\"*\"/></Tag></Tag>");

    private string Written(string name, string text)
    {
        string path = Path.Combine(_folder, name);
        File.WriteAllText(path, text);
        return path;
    }

    [GeneratedRegex(@"(?<![\w-])--[a-z][a-z-]*[a-z]")]
    private static partial Regex OptionName();
}
