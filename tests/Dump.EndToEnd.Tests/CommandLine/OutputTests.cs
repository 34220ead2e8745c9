using System.Text.Json;
using Dump.Analysis;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Fixtures;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>What each command prints, against golden files, and when there are colours.</summary>
public sealed class OutputTests
{
    private const string Escape = "\u001b[";
    private static readonly GoldenFolder s_golden = GoldenFolder.Of("Dump.EndToEnd.Tests");
    private static readonly GoldenFolder s_reports = GoldenFolder.Of("Dump.Reports.Tests");
    private static readonly string s_dump = Fixture.Named("loader-exit").Path;

    public static TheoryData<string, string[]> OwnTexts => new()
    {
        { "help.txt", ["--help"] },
        { "help-threads.txt", ["threads", "--help"] },
        { "help-live.txt", ["live", "--help"] },
        { "help-watch.txt", ["watch", "--help"] },
        { "help-lockchain.txt", ["lockchain", "--help"] },
        { "help-locks.txt", ["locks", "--help"] },
        { "help-tasks.txt", ["tasks", "--help"] },
        { "help-tasks-live.txt", ["tasks", "live", "--help"] },
        { "help-requests.txt", ["requests", "--help"] },
        { "help-requests-live.txt", ["requests", "live", "--help"] },
        { "help-dictloop.txt", ["dictloop", "--help"] },
        { "help-raw.txt", ["raw", "--help"] },
        { "help-object.txt", ["object", "--help"] },
        { "help-stackobjects.txt", ["stackobjects", "--help"] },
        { "help-triage.txt", ["triage", "--help"] },
        { "help-merge.txt", ["merge", "--help"] },
        { "help-mcp.txt", ["mcp", "--help"] },
        { "help-detectors.txt", ["detectors", "--help"] },
        { "help-explain.txt", ["explain", "--help"] },
        { "help-completions.txt", ["completions", "--help"] },
        { "help-man.txt", ["man", "--help"] },
    };

    public static TheoryData<string, string, string[]> Reports => new()
    {
        { "fixtures/loader-exit.report.txt", "loader-exit", [] },
        { "fixtures/loader-exit.report.json", "loader-exit", ["--format", "json"] },
        { "fixtures/loader-exit.threads.txt", "loader-exit", ["threads"] },
        { "fixtures/loader-exit.threads.json", "loader-exit", ["threads", "--format", "json"] },
        { "fixtures/loader-exit.lockchain.txt", "loader-exit", ["lockchain"] },
        { "fixtures/loader-exit.lockchain.json", "loader-exit", ["lockchain", "--format", "JSON"] },
        { "fixtures/loader-exit.locks.txt", "loader-exit", ["locks"] },
        { "fixtures/loader-exit.locks.json", "loader-exit", ["locks", "--format", "json"] },
        { "fixtures/loader-exit.lockchain-of-last.txt", "loader-exit", ["lockchain", "--thread", "204"] },
        { "fixtures/cs-orphan.raw.txt", "cs-orphan", ["raw"] },
        { "fixtures/cs-orphan.raw.json", "cs-orphan", ["raw", "--format", "json"] },
    };

    [Theory]
    [MemberData(nameof(OwnTexts))]
    public void Help_is_that_of_the_golden_files(string name, string[] arguments)
    {
        DumpAnalyze run = DumpAnalyze.Run(arguments);
        Assert.Equal((0, ""), (run.ExitCode, run.Error));
        s_golden.Compare(name, string.Join('\n', run.Output.ReplaceLineEndings("\n").Split('\n').Select(l => l.TrimEnd())));
    }

    /// <summary>No golden file, so that another detector changes none.</summary>
    [Fact]
    public void List_of_detectors_has_all_that_their_descriptors_say()
    {
        string text = DumpAnalyze.Run("detectors").Output;
        Assert.StartsWith(
            """
            DUMP1001  Loader-lock deadlock
                      A cycle of waits passes through the loader lock or, from Windows 10 on, through load ownership.
                      needs: stacks, the loader lock's memory, TEBs (Windows 10 and later)
                      family: loader
            DUMP1002  Lock-cycle deadlock

            """, text, StringComparison.Ordinal);
        Assert.Equal(DetectorRegistry.Descriptors.Select(d => $"{d.Id}  {d.Title}"), text.TrimEnd().Split('\n').Where(l => !l.StartsWith(' ')));
        string json = DumpAnalyze.Run("detectors", "--format", "json").Output;
        Assert.Empty(JsonSchemaCheck.Errors(json));
        Assert.Equal(
            DetectorRegistry.Descriptors.Select(d => (d.Id, d.Title, d.Summary, d.Needs, d.FamilyName)),
            JsonDocument.Parse(json).RootElement.Member("detectors").EnumerateArray().Select(d =>
                (Text(d, "id")!, Text(d, "title")!, Text(d, "summary")!, Text(d, "needs")!, Text(d, "family"))));

        static string? Text(JsonElement detector, string field) => detector.Member(field).GetString();
    }

    [Fact]
    public void Every_golden_file_is_used() =>
        Assert.Equal(s_golden.Names, ((IEnumerable<object[]>)OwnTexts).Select(row => (string)row[0]).Append(WrongUseTests.Table).Order(StringComparer.Ordinal));

    [Theory]
    [MemberData(nameof(Reports))]
    public void The_program_prints_what_the_reports_write(string name, string fixture, string[] arguments)
    {
        DumpAnalyze run = DumpAnalyze.Run([.. arguments, Fixture.Named(fixture).Path]);
        Assert.Empty(run.Error);
        string output = name.EndsWith(".report.json", StringComparison.Ordinal) ? GoldenJson.WithTellingOutcomes(run.Output) : run.Output;
        Assert.Equal(File.ReadAllText(Path.Combine(s_reports.Path, name)), output);
    }

    [Fact]
    public void All_stacks_are_the_report_and_the_threads()
    {
        string all = DumpAnalyze.Run(s_dump, "--stacks", "all").Output;
        string threads = DumpAnalyze.Run("threads", s_dump).Output;
        Assert.Equal(DumpAnalyze.Run(s_dump).Output + threads[threads.IndexOf("\n\n", StringComparison.Ordinal)..][1..], all);
    }

    [SkippableFact]
    public void Colours_are_for_terminals_that_want_them()
    {
        Skip.IfNot(File.Exists("/usr/bin/script"), "no script tool to make a terminal");
        const string OnTerminal = "script -qec \"$0 '$1' {0}\" /dev/null";
        Assert.Contains(Escape, Terminal("", null), StringComparison.Ordinal);
        Assert.DoesNotContain(Escape, Terminal("--no-color", null), StringComparison.Ordinal);
        Assert.DoesNotContain(Escape, Terminal("", "1"), StringComparison.Ordinal);
        Assert.Contains(Escape, Terminal("", ""), StringComparison.Ordinal);
        Assert.Contains(Escape, Terminal("", null, "foot"), StringComparison.Ordinal);
        Assert.DoesNotContain(Escape, Terminal("", "1", "foot"), StringComparison.Ordinal);
        Assert.DoesNotContain(Escape, Terminal("", null, "dumb"), StringComparison.Ordinal);
        Assert.DoesNotContain(Escape, Terminal("", null, ""), StringComparison.Ordinal);
        Assert.DoesNotContain(Escape, DumpAnalyze.RunInShell("$0 \"$1\"", s_dump, ("NO_COLOR", null)).Output, StringComparison.Ordinal);

        static string Terminal(string option, string? noColor, string terminal = "xterm") => DumpAnalyze
            .RunInShell(OnTerminal.Replace("{0}", option, StringComparison.Ordinal), s_dump, ("NO_COLOR", noColor), ("TERM", terminal))
            .Output.Split("DUMP1001", 2)[1];
    }
}
