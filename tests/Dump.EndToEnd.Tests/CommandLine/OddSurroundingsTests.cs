using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing.Fixtures;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>Outputs that are closed or full, inputs that are no files, names with odd characters: one clear line each, never an internal error.</summary>
public sealed class OddSurroundingsTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("dumpanalyze");
    private static readonly string s_dump = Fixture.Named("cs-cycle2").Path;

    [SkippableTheory]
    [InlineData("$0 \"$1\" >&-")]
    [InlineData("$0 detectors >&-")]
    [InlineData("$0 --help > /dev/full")]
    [InlineData("$0 --version > /dev/full")]
    [InlineData("$0 threads --help > /dev/full")]
    [InlineData("$0 detectors > /dev/full")]
    public void Output_that_is_closed_or_full_is_said_in_one_line(string command)
    {
        Skip.IfNot(File.Exists("/dev/full"), "this system has no /dev/full");
        DumpAnalyze run = DumpAnalyze.RunInShell(command, s_dump);
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("could not be written", Assert.Single(run.Error.TrimEnd('\n').Split('\n')), StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("/dev/stdin", "device")]
    [InlineData("/dev/null", "device")]
    public void Input_that_is_no_file_is_named(string input, string reason)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs the device files of Linux");
        DumpAnalyze run = DumpAnalyze.RunInShell($"$0 {input} < /dev/null", s_dump);
        Assert.Equal(3, run.ExitCode);
        Assert.Contains(reason, Assert.Single(run.Error.TrimEnd('\n').Split('\n')), StringComparison.Ordinal);
    }

    [Fact]
    public void A_name_that_begins_with_an_at_sign_is_a_name()
    {
        string path = Path.Combine(_folder.FullName, "@hang.dmp");
        File.Copy(s_dump, path);
        Assert.Equal(10, DumpAnalyze.RunInShell("cd \"${1%/*}\" && $0 @hang.dmp", path).ExitCode);
    }

    [Theory]
    [InlineData("lockchain", "--thread", "0x77777777")]
    [InlineData("lockchain", "--nope")]
    public void Names_in_messages_cannot_steer_the_terminal(params string[] arguments)
    {
        string path = Path.Combine(_folder.FullName, "a\u001b[31m.dmp");
        File.Copy(s_dump, path);
        DumpAnalyze run = DumpAnalyze.Run([.. arguments, path, "\u001b[32m"]);
        Assert.Equal(2, run.ExitCode);
        Assert.DoesNotContain('\u001b', run.Error);
        Assert.DoesNotContain('\u001b', DumpAnalyze.Run([.. arguments, path]).Error);
    }

    [Theory]
    [InlineData("--images")]
    [InlineData("--dac")]
    public void A_file_given_for_a_directory_is_told_apart_from_nothing(string option)
    {
        DumpAnalyze run = DumpAnalyze.Run(s_dump, option, s_dump);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("this is a file; name the directory", run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("no-such-directory", 2)]
    [InlineData("srv*https://symbols.example", 2)]
    [InlineData("no-such-directory;.", 10)]
    public void A_symbol_path_that_can_give_nothing_is_refused(string path, int expected)
    {
        DumpAnalyze run = DumpAnalyze.Run(s_dump, "--symbols", path);
        Assert.Equal(expected, run.ExitCode);
        Assert.Equal(expected == 2, run.Error.Contains("nothing is fetched", StringComparison.Ordinal));
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
