using System.Text.Json;
using Dump.Testing.Lab;

namespace Dump.EndToEnd.Tests.Windows;

/// <summary>The look of the win-x64 build at a process under Wine, which Microsoft's writer of dumps helps with.</summary>
internal static class WindowsLook
{
    private static readonly TimeSpan s_limit = TimeSpan.FromMinutes(5);

    /// <summary>Why no look can be had on this machine, for a skipped test; null when it can.</summary>
    public static string? Unavailable => ManagedWineLab.Unavailable;

    /// <summary>Starts one.</summary>
    public static WineProcess Start(WineSample sample, IEnumerable<(string Name, string Value)> environment, params string[] options) =>
        Run([("LAB_WRITER", WineLab.WindowsPath(Path.Combine(WineLab.DebuggerDirectory, "dbgcore.dll"))), .. environment],
            ["live", $"{sample.Facts.ProcessId}", "--dump-writer", @"L:\labwriter.dll", .. options]);

    /// <summary>Runs one to its end.</summary>
    public static (int ExitCode, JsonElement Report, string Errors) At(WineSample sample, params string[] options)
    {
        using WineProcess look = Ended(() => Start(sample, [], ["--format", "json", .. options]));
        Assert.True(look.Output.Length > 0, look.Errors);
        return (look.ExitCode, JsonDocument.Parse(look.Output).RootElement, look.Errors);
    }

    /// <summary>Starts the win-x64 build.</summary>
    public static WineProcess Run(IEnumerable<(string Name, string Value)> environment, params string[] arguments) => WineProcess.Start(
        [("DOTNET_EnableWriteXorExecute", "0"), .. environment],
        [WineLab.WindowsPath(Path.Combine(ManagedWineLab.Program, "dumpanalyze.exe")), .. arguments]);

    /// <summary>Runs it to its end.</summary>
    public static (int ExitCode, string Output, string Errors) RunToEnd(params string[] arguments)
    {
        using WineProcess run = Ended(() => Run([], arguments));
        return (run.ExitCode, run.Output, run.Errors);
    }

    /// <summary>Starts a program and waits for its end; starts it again where it did not begin.</summary>
    public static WineProcess Ended(Func<WineProcess> start)
    {
        const int MostStarts = 3;
        for (int i = 1; ; i++)
        {
            WineProcess run = start();
            Assert.True(run.WaitForEnd(s_limit), "the program did not end");
            if (i == MostStarts || !run.DidNotStart)
            {
                return run;
            }

            run.Dispose();
        }
    }

    /// <summary>Asserts that a process which computes goes on computing.</summary>
    public static void AssertGoesOn(WineSample sample)
    {
        long before = sample.Process.ProcessorTicks;
        Assert.True(SpinWait.SpinUntil(() => sample.Process.ProcessorTicks > before, s_limit), "the process does not go on");
    }
}
