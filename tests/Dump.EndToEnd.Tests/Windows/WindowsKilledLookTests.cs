using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Windows;

/// <summary>
/// However a look at a living Windows process ends, the process goes on and no file is left. The writer that these tests name suspends the threads once more
/// and then stands still, so that the look is killed in the middle of its stop, and not at a time.
/// </summary>
public sealed class WindowsKilledLookTests : IDisposable
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);
    private readonly string _directory = Directory.CreateTempSubdirectory("dump-killed-").FullName;

    private string Marker => Path.Combine(_directory, "standing");

    [SkippableFact]
    public void Look_that_is_killed_while_its_writer_works_leaves_the_process_running()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        using WineSample living = WineSample.Start("spin-owner");
        using WineProcess look = Standing(living);
        HeldSample.AssertStands(living);
        look.Kill();
        HeldSample.AssertUndisturbed(living);
        AssertNoFileIsLeft(living);
    }

    /// <summary>What stops the process is killed: the look lets the process go itself.</summary>
    [SkippableFact]
    public void Holder_that_is_killed_leaves_the_process_running()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        using WineSample living = WineSample.Start("spin-owner");
        using WineProcess look = Standing(living);
        using (System.Diagnostics.Process holder = HeldSample.Holder(living))
        {
            holder.Kill();
        }

        HeldSample.AssertUndisturbed(living);
        Assert.False(look.HasEnded, look.Errors);
    }

    /// <summary>The writer does not come back: the process is let go when its time is over, and the look ends with what to do.</summary>
    [SkippableFact]
    public void Look_whose_writer_hangs_lets_the_process_go_when_the_time_is_over()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        using WineSample living = WineSample.Start("spin-owner");
        using WineProcess look = WindowsLook.Ended(() => WindowsLook.Start(
            living, [("LAB_WRITER_STANDS", WineLab.WindowsPath(Marker))], "--interval", "100ms", "--stop-limit", "5s"));
        Assert.True(File.Exists(Marker), $"the writer was not called: exit code {look.ExitCode}, {look.Output}{look.Errors}");
        Assert.Equal((3, "", $"dumpanalyze: process {living.Facts.ProcessId} was let go after 5 s, before its memory was written; allow more: --stop-limit\n"),
            (look.ExitCode, look.Output, look.Errors));
        HeldSample.AssertUndisturbed(living);
        AssertNoFileIsLeft(living);
    }

    /// <summary>Before anything is stopped: while processor times are sampled.</summary>
    [SkippableFact]
    public void Look_that_is_killed_before_its_stop_leaves_nothing_behind()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        using WineSample living = WineSample.Start("spin-owner");
        using WineProcess look = WindowsLook.Start(living, [], "--interval", "1h");
        System.Diagnostics.Process holder = HeldSample.Holder(living);
        look.Kill();
        Assert.True(holder.WaitForExit(s_limit), "what was to stop the process lives on");
        HeldSample.AssertUndisturbed(living);
    }

    public void Dispose() => Directory.Delete(_directory, recursive: true);

    /// <summary>A look whose writer stands still while the process is stopped.</summary>
    private WineProcess Standing(WineSample living)
    {
        WineProcess look = WindowsLook.Start(living, [("LAB_WRITER_STANDS", WineLab.WindowsPath(Marker))], "--interval", "100ms");
        Assert.True(SpinWait.SpinUntil(() => File.Exists(Marker) || look.HasEnded, s_limit), "the writer was not called");
        Assert.False(look.HasEnded, look.Errors);
        return look;
    }

    private static void AssertNoFileIsLeft(WineSample living)
    {
        string name = $"dumpanalyze-{living.Facts.ProcessId}-*.dmp";
        EnumerationOptions everywhere = new() { RecurseSubdirectories = true, AttributesToSkip = FileAttributes.ReparsePoint };
        Assert.True(SpinWait.SpinUntil(
            () => !Directory.EnumerateFiles(Path.Combine(WineLab.Prefix, "drive_c"), name, everywhere).Any(), s_limit), "a file is left");
    }
}
