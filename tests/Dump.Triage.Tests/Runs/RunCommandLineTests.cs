using System.Runtime.Versioning;
using System.Text.Json;
using Dump.Testing;

namespace Dump.Triage.Tests.Runs;

/// <summary>The command: its options, exit codes and what it prints.</summary>
[SupportedOSPlatform("linux")]
public sealed class RunCommandLineTests : IDisposable
{
    private readonly TriageFolder _folder = new();

    [Theory]
    [InlineData("cs-cycle2", "likely", 10)]
    [InlineData("loader-exit", "likely", 11)]
    [InlineData("loader-exit", "confirmed", 0)]
    [InlineData("loader-exit-healthy", "likely", 0)]
    [InlineData("loader-exit-stacks-only", "likely", 13)]
    public void Exit_code_is_that_of_the_strongest_verdict(string fixture, string failOn, int exitCode)
    {
        _folder.Fixture(fixture, "one.dmp");
        using var run = TriageProcess.Start(_folder.Dumps, "--out", _folder.Output, "--fail-on", failOn);
        Assert.Equal(exitCode, run.WaitForExit());
    }

    [Fact]
    public void Damaged_dump_alone_is_no_all_clear_and_no_dump_at_all_is_one()
    {
        using (var run = TriageProcess.Start(_folder.Dumps, "--out", _folder.Output))
        {
            Assert.Equal(0, run.WaitForExit());
            Assert.StartsWith("no dump lies in ", run.Output, StringComparison.Ordinal);
        }

        File.WriteAllText(_folder.At("cut.zip"), "PK\x03\x04");
        using (var run = TriageProcess.Start(_folder.Dumps, "--out", _folder.Output))
        {
            Assert.Equal(13, run.WaitForExit());
            Assert.Contains("dumpanalyze: cut.zip: ", run.Error, StringComparison.Ordinal);
        }

        File.Delete(_folder.At("cut.zip"));
        _folder.Pretend("bad.dmp", size: 10);
        using (var run = TriageProcess.Start(_folder.Dumps, "--out", _folder.Output))
        {
            Assert.Equal(13, run.WaitForExit());
        }
    }

    [Theory]
    [InlineData("--jobs", "0")]
    [InlineData("--shard", "3/2")]
    [InlineData("--timeout", "0s")]
    [InlineData("--timeout", "60")]
    [InlineData("--memory", "2TB")]
    [InlineData("--memory", "1MiB")]
    [InlineData("--dac", "/nowhere/at/all")]
    [InlineData("--known-modules", "/nowhere/at/all")]
    [InlineData("--include", "")]
    public void Wrong_value_is_named(string option, string value)
    {
        using var run = TriageProcess.Start(_folder.Dumps, "--out", _folder.Output, option, value);
        Assert.Equal(2, run.WaitForExit());
        Assert.Contains(value, run.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists(_folder.Output));
    }

    [Fact]
    public void Folder_that_is_not_there_and_missing_out_are_wrong_usage()
    {
        using var noFolder = TriageProcess.Start(_folder.Dumps + "-x", "--out", _folder.Output);
        Assert.Equal(2, noFolder.WaitForExit());
        using var noOut = TriageProcess.Start(_folder.Dumps);
        Assert.Equal(2, noOut.WaitForExit());
    }

    [Fact]
    public void Several_folders_and_a_file_keep_apart()
    {
        _folder.Fixture("cs-cycle2", "east/x.dmp");
        _folder.Fixture("cs-orphan", "west/x.dmp");
        string alone = _folder.Fixture("loader-exit-healthy", "alone");
        using var run = TriageProcess.Start(_folder.At("east"), _folder.At("west"), alone, "--out", _folder.Output, "--include", "*/x*", "--include", "alone");
        Assert.Equal(10, run.WaitForExit());
        Assert.Equal(["alone", "east/x.dmp", "west/x.dmp"], Paths());
    }

    [SkippableFact]
    public void Folder_that_may_not_be_read_is_a_warning()
    {
        Skip.IfNot(OperatingSystem.IsLinux() && Environment.IsPrivilegedProcess, "becoming another user needs root; FolderWalkTests tries it without");
        Skip.IfNot(File.Exists("/usr/bin/setpriv"), "setpriv (util-linux) is missing");
        _folder.Pretend("closed/x.dmp");
        string secret = _folder.Pretend("secret.dmp", 1);
        _folder.Fixture("loader-exit-healthy", "open.dmp");
        File.SetUnixFileMode(_folder.At("closed"), UnixFileMode.UserRead);
        File.SetUnixFileMode(secret, UnixFileMode.UserRead);
        OpenToAll(Path.GetDirectoryName(_folder.Dumps)!);
        File.CreateSymbolicLink(Path.Combine(_folder.Dumps, "link.dmp"), "closed/other.dmp");
        File.CreateSymbolicLink(Path.Combine(_folder.Dumps, "nowhere.dmp"), "no-such.dmp");
        using var run = TriageProcess.StartAsNobody(_folder.Dumps, "--out", _folder.Output);
        Skip.If(run.WaitForExit() is not (0 or 13), $"another user cannot run the program here: {run.Error}");
        Assert.Equal(["open.dmp"], Paths());
        Assert.Contains("dumpanalyze: closed/: this folder cannot be read", run.Error, StringComparison.Ordinal);
        Assert.Contains("dumpanalyze: secret.dmp: it may not be read", run.Error, StringComparison.Ordinal);
        Assert.Contains("dumpanalyze: link.dmp: it is a link to what may not be looked at", run.Error, StringComparison.Ordinal);
        Assert.Contains("dumpanalyze: nowhere.dmp: it is a link that leads nowhere", run.Error, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();

    private static void OpenToAll(string path) => File.SetUnixFileMode(path, (UnixFileMode)0b111_111_111);

    private string[] Paths() =>
    [
        .. File.ReadAllLines(Path.Combine(_folder.Output, "results.jsonl")).Select(l =>
        {
            using var line = JsonDocument.Parse(l);
            return line.RootElement.Member("source").Member("path").GetString()!;
        }),
    ];
}
