using System.Diagnostics;
using System.Runtime.Versioning;
using System.Text.Json;
using Dump.EndToEnd.Tests.Live;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Testing;
using Dump.Testing.Fixtures;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.CommandLine;

/// <summary>Command lines of other tools that can mean one thing only are taken for it; a file of the name that was given comes first.</summary>
public sealed class MeantCommandLineTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("dumpanalyze-meant-").FullName;

    public MeantCommandLineTests()
    {
        Directory.CreateDirectory(Path.Combine(_folder, "dumps"));
        File.Copy(Fixture.Named("loader-exit").Path, Path.Combine(_folder, "hang.dmp"));
        File.Copy(Fixture.Named("cs-cycle2").Path, Path.Combine(_folder, "dumps", "cycle.dmp"));
        File.Copy(Fixture.Named("timed-wait").Path, Path.Combine(_folder, "dumps", "wait.dmp"));
        File.WriteAllText(Path.Combine(_folder, "dumps", "notes.txt"), "No dump.");
    }

    [Theory]
    [InlineData("help", "--help")]
    [InlineData("help threads", "threads --help")]
    [InlineData("help tasks live", "tasks live --help")]
    [InlineData("triage help", "triage --help")]
    [InlineData("version", "--version")]
    [InlineData("--version hang.dmp", "--version")]
    [InlineData("hang.dmp --json", "hang.dmp --format json")]
    [InlineData("--json hang.dmp", "--format json hang.dmp")]
    [InlineData("locks hang.dmp --json", "locks hang.dmp --format json")]
    [InlineData("dumps", "triage dumps --list")]
    [InlineData("--fail-on suspected dumps", "triage --fail-on suspected dumps --list")]
    [InlineData("dumps --fail-on suspected", "triage dumps --list --fail-on suspected")]
    public void It_is_the_same_as(string typed, string meant)
    {
        DumpAnalyze run = At(typed), same = At(meant);
        Assert.Equal((same.ExitCode, same.Output, ""), (run.ExitCode, run.Output, run.Error));
    }

    [Fact]
    public void A_folder_with_a_place_for_records_is_triaged()
    {
        DumpAnalyze run = At("dumps --out records");
        Assert.StartsWith("2 dumps, 0 copies of them", run.Output, StringComparison.Ordinal);
        Assert.True(Directory.Exists(Path.Combine(_folder, "records")));
    }

    [Theory]
    [InlineData("help")]
    [InlineData("version")]
    [InlineData("4711")]
    public void A_file_of_that_name_comes_first(string name)
    {
        File.Move(Path.Combine(_folder, "hang.dmp"), Path.Combine(_folder, name));
        DumpAnalyze run = At(name);
        Assert.StartsWith($"{name}: Windows minidump", run.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_folder_is_a_table_at_once_and_leaves_nothing_behind()
    {
        DumpAnalyze run = At("dumps");
        Assert.Equal(10, run.ExitCode);
        string[] lines = run.Output.Split('\n');
        Assert.Matches("^DUMP +ANSWER +LOOK AT$", lines[0]);
        Assert.Matches(@"^cycle\.dmp +DUMP1002 Lock-cycle deadlock \(Confirmed\) +hang\+0x[0-9a-f]+$", lines[1]);
        Assert.Matches(@"^wait\.dmp +nothing found +hang\+0x[0-9a-f]+$", lines[2]);
        Assert.Equal("2 dumps: 1 confirmed, 1 nothing found.", lines[4]);
        Assert.Equal(["cycle.dmp", "notes.txt", "wait.dmp"], Directory.EnumerateFileSystemEntries(Path.Combine(_folder, "dumps"))
            .Select(Path.GetFileName).Order(StringComparer.Ordinal));
        Assert.Equal(["dumps", "hang.dmp"], Directory.EnumerateFileSystemEntries(_folder).Select(Path.GetFileName).Order(StringComparer.Ordinal));
    }

    [Fact]
    public void A_folder_without_dumps_says_how_many_files_were_looked_at()
    {
        Directory.CreateDirectory(Path.Combine(_folder, "none"));
        File.WriteAllText(Path.Combine(_folder, "none", "notes.txt"), "No dump.");
        DumpAnalyze run = At("none");
        Assert.Equal((2, "", "dumpanalyze: no dump lies in none (1 file looked at)\n"), (run.ExitCode, run.Output, run.Error));
        DumpAnalyze kept = At("triage none --out records");
        Assert.Equal((0, "no dump lies in none (1 file looked at)\n"), (kept.ExitCode, kept.Output));
    }

    [SkippableTheory]
    [SupportedOSPlatform("linux")]
    [InlineData("{0}")]
    [InlineData("-p {0}")]
    [InlineData("--pid={0}")]
    [InlineData("--stacks all {0}")]
    [InlineData("--stacks all -p {0}")]
    public void A_living_process_needs_no_command(string line)
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("monitor-cycle2");
        DumpAnalyze run = At(string.Format(null, line, running.ProcessId));
        Assert.Equal(10, run.ExitCode);
        Assert.Contains($"managed-hang (dotnet managed-hang.dll), .NET {Environment.Version}, process {running.ProcessId}, ", run.Output, StringComparison.Ordinal);
        Assert.Contains("DUMP1002 Lock-cycle deadlock (Confirmed)", run.Output, StringComparison.Ordinal);
        LiveLook.AssertGoesOn(running);
    }

    [SkippableFact]
    [SupportedOSPlatform("linux")]
    public void A_living_program_is_found_by_its_name()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs /proc");
        string name = $"meant{Environment.ProcessId}";
        string program = Path.Combine(_folder, "dumps", name);
        File.Copy("/bin/sleep", program);
        using Process sleeping = Process.Start(program, "600");
        Process? second = null;
        try
        {
            DumpAnalyze run = At(name);
            Assert.Contains($"{name}, process {sleeping.Id}, 1 thread, Linux", run.Output, StringComparison.Ordinal);
            Assert.Contains("goes on by itself", run.Output, StringComparison.Ordinal);
            second = Process.Start(program, "700");
            DumpAnalyze both = At($"live {name}");
            (int first, string firstTime, int last, string lastTime) = sleeping.Id < second.Id ? (sleeping.Id, "600", second.Id, "700") : (second.Id, "700", sleeping.Id, "600");
            Assert.Equal(2, both.ExitCode);
            Assert.EndsWith($"give the number of one: {first} ({name} {firstTime}), {last} ({name} {lastTime})\n", both.Error, StringComparison.Ordinal);
        }
        finally
        {
            foreach (Process ended in new[] { sleeping, second }.OfType<Process>())
            {
                ended.Kill();
                ended.WaitForExit();
            }

            second?.Dispose();
        }
    }

    [SkippableFact]
    [SupportedOSPlatform("linux")]
    public void Lists_are_printed_of_a_living_process_as_well()
    {
        Skip.If(LinuxLab.Unavailable is not null, LinuxLab.Unavailable);
        using LiveScene running = LinuxLab.Start("monitor-cycle2");
        string id = $"{running.ProcessId}";
        uint waiter = running.Threads("transfer-0").Single();
        using var locks = JsonDocument.Parse(Answer("locks", "live", id, "--format", "json"));
        string address = locks.RootElement.Member("locks")[0].Member("resource").Member("identity").GetString()!;
        Assert.Contains($"({waiter} 'transfer-0')", Answer("threads", "live", id), StringComparison.Ordinal);
        Assert.Contains($"({waiter} 'transfer-0')", Answer("threads", id, "--tree"), StringComparison.Ordinal);
        Assert.Contains($"({waiter} 'transfer-0')", Answer(id, "threads", "--tree"), StringComparison.Ordinal);
        Assert.Contains("'transfer-1'", Answer("lockchain", "live", id, "--thread", $"{waiter}"), StringComparison.Ordinal);
        Assert.Contains("'transfer-1'", Answer("lockchain", "live", id, "--thread", $"0x{waiter:x}"), StringComparison.Ordinal);
        Assert.Contains(address, Answer("object", "live", id, address), StringComparison.Ordinal);
        Assert.Contains("sound", Answer("dictloop", "live", id, "--heap"), StringComparison.Ordinal);
        LiveLook.AssertGoesOn(running);
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static string Answer(params string[] arguments)
    {
        DumpAnalyze run = DumpAnalyze.Run(arguments);
        Assert.True(run.ExitCode == 0, run.Error);
        return run.Output;
    }

    private DumpAnalyze At(string line) => DumpAnalyze.RunAt(_folder, line.Split(' '));
}
