using Dump.EndToEnd.Tests.Verdicts;
using Dump.Readers.Minidump;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Windows;

/// <summary>What else <c>live</c> does on Windows: names, dumps that are kept, the list, and what cannot be looked at.</summary>
public sealed class WindowsLiveUseTests : IDisposable
{
    private const int Unreadable = 3;
    private const int Usage = 2;
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-use-").FullName;

    [SkippableFact]
    public void Kept_dump_has_all_memory_and_its_verdict_is_that_of_the_look()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        string kept = Path.Combine(_directory, "kept.dmp");
        using WineSample living = WineSample.Start("cs-cycle2");
        (int exitCode, _, _) = WindowsLook.At(living, "--keep", WineLab.WindowsPath(kept));
        Assert.Equal(10, exitCode);
        using (MinidumpFile dump = MinidumpFile.Open(kept))
        {
            Assert.Equal(2u, (uint)dump.Header.Flags & 2);
            Assert.Equal("snapshot of a running process by dumpanalyze", Assert.Single(dump.Comments).Text);
            Assert.Equal(living.Facts.ProcessId, dump.MiscInfo?.ProcessId);
        }

        (int exitCodeOfDump, string output, _) = WindowsLook.RunToEnd(WineLab.WindowsPath(kept), "--brief");
        Assert.Equal((10, true), (exitCodeOfDump, output.Contains("DUMP1002", StringComparison.Ordinal)));

        // What is there is not written over.
        using WineProcess again = WindowsLook.Start(living, [], "--keep", WineLab.WindowsPath(kept));
        Assert.True(again.WaitForEnd(TimeSpan.FromMinutes(5)));
        Assert.Equal(Usage, again.ExitCode);
        Assert.Contains("exists already", again.Errors, StringComparison.Ordinal);
    }

    [SkippableFact]
    public void Process_is_found_by_the_name_of_its_program()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        using WineSample living = WineSample.Start("loader-event");
        (int exitCode, string output, string errors) = WindowsLook.RunToEnd("live", "loader-event.exe", "--dump-writer", @"L:\labwriter.dll", "--brief");
        Assert.True(exitCode is Unreadable or 11 or 13, output + errors);
        Assert.Contains($"process {living.Facts.ProcessId}", output + errors, StringComparison.Ordinal);
    }

    [SkippableTheory]
    [InlineData("99999", Unreadable, "dumpanalyze: there is no process 99999\n")]
    [InlineData("no-such-program", Usage,
        "dumpanalyze: no process is called 'no-such-program'; give the number of one, such as 4711 (dumpanalyze live, without one, lists .NET processes)\n")]
    public void Process_that_is_not_there_is_one_line(string process, int exitCode, string errors)
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        Assert.Equal((exitCode, "", errors), WindowsLook.RunToEnd("live", process));
    }

    [SkippableFact]
    public void Writer_that_cannot_write_is_one_line_and_the_process_goes_on()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        using WineSample living = WineSample.Start("spin-owner");
        (int exitCode, string output, string errors) = WindowsLook.RunToEnd(
            "live", $"{living.Facts.ProcessId}", "--interval", "100ms", "--dump-writer", @"L:\labwriter.dll");
        Assert.Equal((Unreadable, ""), (exitCode, output));
        Assert.Matches($"^dumpanalyze: process {living.Facts.ProcessId} could not be read: MiniDumpWriteDump failed: [^\n]+\n$", errors);
        WindowsLook.AssertGoesOn(living);
    }

    [SkippableFact]
    public void Living_net_processes_are_listed()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        (_, string? unavailable) = ManagedWineLab.Runtime("10.0.12");
        Skip.If(unavailable is not null, unavailable);
        using WineSample living = WineSample.Start(ManagedWineLab.Command("10.0.12", "idle"));
        (int exitCode, string output, _) = WindowsLook.RunToEnd("live");
        Assert.Equal(0, exitCode);
        Assert.Contains(output.Split('\n'), l => l.StartsWith($"  {living.Facts.ProcessId} ", StringComparison.Ordinal)
            && l.Contains("managed-host.exe", StringComparison.Ordinal));
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);
}
