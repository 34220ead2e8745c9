using System.Text.RegularExpressions;
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
        AssertStands(living);
        look.Kill();
        AssertUndisturbed(living);
        AssertNoFileIsLeft(living);
    }

    /// <summary>What stops the process is killed: the look lets the process go itself.</summary>
    [SkippableFact]
    public void Holder_that_is_killed_leaves_the_process_running()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        using WineSample living = WineSample.Start("spin-owner");
        using WineProcess look = Standing(living);
        using (System.Diagnostics.Process holder = Holder(living))
        {
            holder.Kill();
        }

        AssertUndisturbed(living);
        Assert.False(look.HasEnded, look.Errors);
    }

    /// <summary>Before anything is stopped: while processor times are sampled.</summary>
    [SkippableFact]
    public void Look_that_is_killed_before_its_stop_leaves_nothing_behind()
    {
        Skip.If(WindowsLook.Unavailable is not null, WindowsLook.Unavailable);
        using WineSample living = WineSample.Start("spin-owner");
        using WineProcess look = WindowsLook.Start(living, [], "--interval", "1h");
        System.Diagnostics.Process holder = Holder(living);
        look.Kill();
        Assert.True(holder.WaitForExit(s_limit), "what was to stop the process lives on");
        AssertUndisturbed(living);
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

    /// <summary>Nothing computes: what was running when the threads were stopped is over once two readings are the same.</summary>
    private static void AssertStands(WineSample living)
    {
        long before = -1;
        Assert.True(SpinWait.SpinUntil(() =>
        {
            Thread.Sleep(200);
            return before == (before = living.Process.ProcessorTicks);
        }, s_limit), "the process was not stopped");
    }

    /// <summary>The process computes again, and each thread has the suspend count that it had before, which is 0.</summary>
    private static void AssertUndisturbed(WineSample living)
    {
        WindowsLook.AssertGoesOn(living);
        string counts = "";
        Assert.True(
            SpinWait.SpinUntil(() => IsUnsuspended(counts = WineLab.Shared.RunDebugger($"pid:{living.Facts.ProcessId}", "@suspends")), s_limit), counts);
    }

    private static bool IsUnsuspended(string counts) => Regex.IsMatch(counts, "^> @suspends\n([0-9a-f]+ 0\n)+", RegexOptions.Multiline)
        && !Regex.IsMatch(counts, "^[0-9a-f]+ [1-9]", RegexOptions.Multiline);

    private static void AssertNoFileIsLeft(WineSample living)
    {
        string name = $"dumpanalyze-{living.Facts.ProcessId}-*.dmp";
        EnumerationOptions everywhere = new() { RecurseSubdirectories = true, AttributesToSkip = FileAttributes.ReparsePoint };
        Assert.True(SpinWait.SpinUntil(
            () => !Directory.EnumerateFiles(Path.Combine(WineLab.Prefix, "drive_c"), name, everywhere).Any(), s_limit), "a file is left");
    }

    /// <summary>The process that stops the sample and lets it go, as this system sees it.</summary>
    private static System.Diagnostics.Process Holder(WineSample living)
    {
        int id = 0;
        Assert.True(SpinWait.SpinUntil(() => (id = Find($"hold-process\0{living.Facts.ProcessId}\0")) != 0, s_limit), "no process holds the sample");

        Assert.True(SpinWait.SpinUntil(() => HasBegun(id), s_limit), "what stops the process does not run");
        return System.Diagnostics.Process.GetProcessById(id);
    }

    /// <summary>
    /// True when its runtime is up, which has threads of its own. A process that is just being started when the one that starts it is killed never begins,
    /// and never ends, under Wine.
    /// </summary>
    private static bool HasBegun(int process) => Directory.Exists($"/proc/{process}/task") && Directory.GetDirectories($"/proc/{process}/task").Length > 2;

    private static int Find(string commandLine)
    {
        foreach (string directory in Directory.EnumerateDirectories("/proc").Where(d => Path.GetFileName(d).All(char.IsAsciiDigit)))
        {
            try
            {
                // Wine moves the arguments when the process is up, and leaves zeros behind them. Other prefixes have processes of the same numbers.
                if (File.ReadAllText(Path.Combine(directory, "cmdline")).Contains(commandLine, StringComparison.Ordinal)
                    && File.ReadAllText(Path.Combine(directory, "environ")).Contains($"WINEPREFIX={WineLab.Prefix}\0", StringComparison.Ordinal))
                {
                    return int.Parse(Path.GetFileName(directory), System.Globalization.CultureInfo.InvariantCulture);
                }
            }
            catch (Exception error) when (error is IOException or UnauthorizedAccessException)
            {
                // It has ended.
            }
        }

        return 0;
    }
}
