using System.Runtime.Versioning;
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

    /// <summary>What cannot be looked at is not said to be absent: for the dump exit code 3, for a folder or a file to write wrong usage.</summary>
    [SkippableTheory]
    [InlineData("\"$1\"", 3, "hang.dmp: cannot be read: Access to the path")]
    [InlineData("threads \"$1\"", 3, "hang.dmp: cannot be read: Access to the path")]
    [InlineData("triage \"$1\" --out /tmp/never-made", 2, "may not be looked into")]
    [InlineData("$2 --html \"${1%/*}/page.html\"", 2, "page.html: its directory may not be written to; name a file elsewhere")]
    [InlineData("triage $2 --out \"${1%/*}/records\"", 2, "records: it may not be made or written to; name another folder")]
    [SupportedOSPlatform("linux")]
    public void What_another_user_hides_is_not_said_to_be_absent(string line, int expected, string message)
    {
        Skip.IfNot(OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess, "becoming another user needs root");
        Skip.IfNot(File.Exists("/usr/bin/setpriv"), "setpriv (util-linux) is missing");
        string hidden = Path.Combine(_folder.CreateSubdirectory("hidden").FullName, "hang.dmp"), open = Path.Combine(_folder.FullName, "open.dmp");
        File.Copy(s_dump, hidden);
        File.Copy(s_dump, open);
        File.SetUnixFileMode(_folder.FullName, (UnixFileMode)0b111_101_101);
        File.SetUnixFileMode(Path.GetDirectoryName(hidden)!, (UnixFileMode)0b111_000_000);
        File.SetUnixFileMode(open, (UnixFileMode)0b110_100_100);
        const string AsNobody = "HOME=/tmp DOTNET_CLI_HOME=/tmp setpriv --reuid 65534 --regid 65534 --clear-groups $0 ";
        Skip.If(DumpAnalyze.RunInShell(AsNobody + "\"$1\"", open).ExitCode != 10, "the program's files cannot be read by another user");
        DumpAnalyze run = DumpAnalyze.RunInShell(AsNobody + line.Replace("$2", open, StringComparison.Ordinal), hidden);
        Assert.Equal((expected, ""), (run.ExitCode, run.Output));
        Assert.Contains(message, Assert.Single(run.Error.TrimEnd('\n').Split('\n')), StringComparison.Ordinal);
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
