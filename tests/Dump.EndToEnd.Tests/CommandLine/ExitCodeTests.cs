using Dump.Cli.Running;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Testing.Fixtures;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>Every exit code of the documented table, and what leads to it.</summary>
public sealed class ExitCodeTests : IDisposable
{
    private const ulong OnItsStack = 0x10001000;
    private const ulong OnNoStack = 0x55550000;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dumpanalyze");

    [Theory]
    [InlineData("loader-exit-healthy", null, 0)]
    [InlineData("cs-cycle2", null, 10)]
    [InlineData("cs-cycle2", "confirmed", 10)]
    [InlineData("cs-cycle2", "Suspected", 10)]
    [InlineData("loader-exit", null, 11)]
    [InlineData("loader-exit", "likely", 11)]
    [InlineData("loader-exit", "confirmed", 0)]
    [InlineData("loader-exit", "suspected", 11)]
    [InlineData("loader-exit-stacks-only", null, 13)]
    [InlineData("loader-exit-stacks-only", "confirmed", 13)]
    public void A_dump_gets_the_code_of_its_verdict(string fixture, string? failOn, int expected)
    {
        string path = Fixture.Named(fixture).Path;
        Assert.Equal(expected, (failOn is null ? DumpAnalyze.Run(path) : DumpAnalyze.Run(path, "--fail-on", failOn)).ExitCode);
    }

    [Theory]
    [InlineData(null, 12)]
    [InlineData("likely", 0)]
    [InlineData("suspected", 12)]
    public void A_suspicion_is_not_nothing_found(string? failOn, int expected)
    {
        string path = Write("suspected.dmp", Computing().ToMinidump());
        DumpAnalyze run = failOn is null ? DumpAnalyze.Run(path) : DumpAnalyze.Run(path, "--fail-on", failOn);
        Assert.Contains("DUMP2002 Runaway thread (Suspected)", run.Output, StringComparison.Ordinal);
        Assert.Equal(expected, run.ExitCode);
    }

    [Theory]
    [InlineData(null, 0)]
    [InlineData("suspected", 12)]
    public void A_suspicion_in_a_folder_counts_only_when_asked_for(string? failOn, int expected)
    {
        Write("suspected.dmp", Computing().ToMinidump());
        string[] options = failOn is null ? [] : ["--fail-on", failOn];
        string records = Path.Combine(_folder.FullName, "records");
        Assert.Equal(expected, DumpAnalyze.Run(["triage", _folder.FullName, "--out", records, .. options]).ExitCode);
        Assert.Equal(expected, DumpAnalyze.Run(["merge", records, .. options]).ExitCode);
    }

    /// <summary>
    /// A crash without a hang, with a suspicion that does not count, and with one that does, unless it is on the thread that crashed; a breakpoint is no crash.
    /// </summary>
    [Theory]
    [InlineData(0xC0000005u, OnNoStack, "likely", 14)]
    [InlineData(0xC0000005u, OnNoStack, "suspected", 12)]
    [InlineData(0xC0000005u, OnItsStack, "suspected", 14)]
    [InlineData(0x80000003u, OnItsStack, "likely", 0)]
    public void A_crash_has_a_code_of_its_own_behind_a_hang_that_counts(uint code, ulong stackPointer, string failOn, int expected)
    {
        FakeProcess process = Computing();
        process.Streams.Add(FakeStreams.Exception(0x1A0, code, 0x140001010, stackPointer, 1, 0x18));
        string path = Write("crash.dmp", process.ToMinidump());
        Assert.Equal(expected, DumpAnalyze.Run(path, "--fail-on", failOn).ExitCode);
        string records = Path.Combine(_folder.FullName, "records");
        Assert.Equal(expected, DumpAnalyze.Run("triage", _folder.FullName, "--out", records, "--fail-on", failOn).ExitCode);
        Assert.Equal(expected, DumpAnalyze.Run("merge", records, "--fail-on", failOn).ExitCode);
    }

    [Fact]
    public void Facts_without_judgement_have_no_verdict_in_their_code() =>
        Assert.All(["threads", "lockchain", "raw"], command => Assert.Equal(0, DumpAnalyze.Run(command, Fixture.Named("cs-cycle2").Path).ExitCode));

    [Fact]
    public void A_symbolic_link_leads_to_its_dump()
    {
        string link = Path.Combine(_folder.FullName, "link.dmp");
        File.CreateSymbolicLink(link, Fixture.Named("loader-exit").Path);
        Assert.Equal(11, DumpAnalyze.Run(link).ExitCode);
    }

    [SkippableTheory]
    [InlineData("")]
    [InlineData("threads")]
    [InlineData("raw")]
    public void A_pipe_that_nobody_writes_to_is_not_waited_for(string command)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs mkfifo");
        string pipe = Path.Combine(_folder.FullName, "pipe.dmp");
        Assert.Equal(0, DumpAnalyze.RunInShell("mkfifo \"$1\"", pipe).ExitCode);
        Assert.Equal(3, DumpAnalyze.RunInShell($"timeout -k 1 300 $0 {command} \"$1\"", pipe).ExitCode);
    }

    [Theory]
    [InlineData("threads")]
    [InlineData("lockchain")]
    [InlineData("raw")]
    [InlineData("dictloop")]
    [InlineData(null)]
    public void An_input_that_is_no_dump_is_named_in_one_line(string? command)
    {
        (string Path, string Reason)[] inputs =
        [
            (Write("empty.dmp", []), "empty.dmp: this is an empty file"),
            (Write("text.dmp", "MiniDump? No."u8.ToArray()), "text.dmp: this is a text file"),
            (Write("cut.dmp", File.ReadAllBytes(Fixture.Named("cs-cycle2").Path)[..100]), "cut.dmp: "),
        ];
        foreach ((string path, string reason) in inputs)
        {
            DumpAnalyze run = command is null ? DumpAnalyze.Run(path) : DumpAnalyze.Run(command, path);
            Assert.Equal(3, run.ExitCode);
            Assert.Empty(run.Output);
            string line = Assert.Single(run.Error.TrimEnd('\n').Split('\n'));
            Assert.StartsWith("dumpanalyze: ", line, StringComparison.Ordinal);
            Assert.Contains(reason, line, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("nothing to analyze")]
    [InlineData("FILE is missing", "threads")]
    [InlineData("there is no such file", "absent.dmp")]
    [InlineData("to analyze all dumps in it: dumpanalyze triage", "/")]
    [InlineData("--format", "dump.dmp", "--format", "xml", "give text, json or dml")]
    [InlineData("2", "dump.dmp", "--fail-on", "2", "give confirmed, likely or suspected")]
    [InlineData("0", "dump.dmp", "--stacks", "0", "give evidence or all")]
    [InlineData("zz", "lockchain", "dump.dmp", "--thread", "zz", "not a valid thread")]
    [InlineData("4294967296", "lockchain", "dump.dmp", "--thread", "4294967296", "not a valid thread")]
    [InlineData("no such directory", "dump.dmp", "--images", "no-such-directory")]
    [InlineData("no such directory", "dump.dmp", "--dac", "no-such-directory")]
    [InlineData("there is no such file", "dump.dmp", "--known-modules", "no-such-file")]
    [InlineData("this is a directory", "dump.dmp", "--known-modules", "/")]
    [InlineData("no option '--nonsense'", "--nonsense")]
    [InlineData("zz", "dictloop", "dump.core", "zz", "not a valid address")]
    [InlineData("10000000000000000", "dictloop", "dump.core", "0x10000000000000000", "not a valid address")]
    [InlineData("--heap", "dictloop", "dump.core", "12", "--heap", "not both")]
    public void A_wrong_command_line_is_explained(string part, params string[] arguments)
    {
        bool hasExplanation = arguments.Length > 0 && arguments[^1].Contains(' ', StringComparison.Ordinal);
        Write("dump.dmp", []);
        Write("dump.core", []);
        DumpAnalyze run = DumpAnalyze.RunAt(_folder.FullName, hasExplanation ? arguments[..^1] : arguments);
        Assert.Equal(2, run.ExitCode);
        Assert.Empty(run.Output);
        Assert.Contains(part, run.Error, StringComparison.Ordinal);
        Assert.Contains(hasExplanation ? arguments[^1] : part, run.Error, StringComparison.Ordinal);
        Assert.Single(run.Error.TrimEnd('\n').Split('\n'));
    }

    [SkippableFact]
    public void Output_that_cannot_be_written_is_an_error_and_a_reader_that_has_enough_is_none()
    {
        Skip.IfNot(File.Exists("/dev/full"), "this system has no /dev/full");
        string dump = Fixture.Named("cs-cycle2").Path;
        DumpAnalyze full = DumpAnalyze.RunInShell("$0 \"$1\" > /dev/full", dump);
        Assert.Equal(1, full.ExitCode);
        Assert.Contains("could not be written", full.Error, StringComparison.Ordinal);
        DumpAnalyze head = DumpAnalyze.RunInShell("$0 raw \"$1\" | head -n 1; exit ${PIPESTATUS[0]}", dump);
        Assert.Equal((0, "header\n", ""), (head.ExitCode, head.Output, head.Error));
    }

    [Fact]
    public void A_failed_detector_is_an_error_of_the_program_unless_another_one_found_something()
    {
        DetectorOutcome failed = new("DUMP1002", "Lock-cycle deadlock", DetectorOutcomeKind.Failed, [], "defect");
        Verdict verdict = new() { DetectorId = "DUMP1003", Title = "Orphaned lock", Confidence = Confidence.Likely, Claims = [], Threads = [1] };
        Assert.Equal(1, AnswerExitCode.Of(new AnalysisResult([], [failed]), Confidence.Likely));
        Assert.Equal(11, AnswerExitCode.Of(new AnalysisResult([verdict], [failed]), Confidence.Likely));
        Assert.Equal(1, AnswerExitCode.Of(new AnalysisResult([verdict], [failed]), Confidence.Confirmed));
    }

    /// <summary>A process whose only thread has computed for most of its life, which may be its job.</summary>
    private static FakeProcess Computing()
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        FakeFunction compute = app.Function("compute", exported: false);
        FakeFunction start = ntdll.Function("RtlUserThreadStart");
        return new FakeProcess
        {
            Images = { app, ntdll },
            LoaderLock = FakeProcess.Section(ntdll, 0x200, 0, 0),
            Threads = { new FakeThread(0x1A0, [compute, start], ProcessorSeconds: 90) },
        };
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private string Write(string name, byte[] bytes)
    {
        string path = Path.Combine(_folder.FullName, name);
        File.WriteAllBytes(path, bytes);
        return path;
    }
}
