using System.Globalization;
using System.Text.RegularExpressions;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Windows;

/// <summary>A sample under Wine that computes while a look stops it and lets it go.</summary>
internal static class HeldSample
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);

    /// <summary>Nothing computes: what was running when the threads were stopped is over once two readings are the same.</summary>
    public static void AssertStands(WineSample living)
    {
        long before = -1;
        Assert.True(SpinWait.SpinUntil(() =>
        {
            Thread.Sleep(200);
            return before == (before = living.Process.ProcessorTicks);
        }, s_limit), "the process was not stopped");
    }

    /// <summary>The process computes again, and each thread has the suspend count that it had before, which is 0.</summary>
    public static void AssertUndisturbed(WineSample living)
    {
        WindowsLook.AssertGoesOn(living);
        AssertUnsuspended(living);
    }

    /// <summary>Each thread has the suspend count 0.</summary>
    public static void AssertUnsuspended(WineSample living)
    {
        string counts = "";
        Assert.True(SpinWait.SpinUntil(() => IsUnsuspended(counts = Suspends(living)), s_limit), counts);
    }

    /// <summary>The process that stops the sample and lets it go, as this system sees it.</summary>
    public static System.Diagnostics.Process Holder(WineSample living) => Process($"hold-process\0{living.Facts.ProcessId}\0", "no process holds the sample");

    /// <summary>The look at the sample that a watch has started.</summary>
    public static System.Diagnostics.Process Look(WineSample living) => Process($"live\0{living.Facts.ProcessId}\0", "no process looks at the sample");

    private static System.Diagnostics.Process Process(string commandLine, string missing)
    {
        int id = 0;
        Assert.True(SpinWait.SpinUntil(() => (id = Find(commandLine)) != 0, s_limit), missing);
        Assert.True(SpinWait.SpinUntil(() => HasBegun(id), s_limit), "it does not run");
        return System.Diagnostics.Process.GetProcessById(id);
    }

    /// <summary>What the debugger says of the suspend counts; for as long as it cannot read the process, why.</summary>
    private static string Suspends(WineSample living)
    {
        try
        {
            return WineLab.Shared.RunDebugger($"pid:{living.Facts.ProcessId}", "@suspends");
        }
        catch (InvalidOperationException error)
        {
            return error.Message;
        }
    }

    private static bool IsUnsuspended(string counts) => Regex.IsMatch(counts, "^> @suspends\n([0-9a-f]+ 0\n)+", RegexOptions.Multiline)
        && !Regex.IsMatch(counts, "^[0-9a-f]+ [1-9]", RegexOptions.Multiline);

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
                    return int.Parse(Path.GetFileName(directory), CultureInfo.InvariantCulture);
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
