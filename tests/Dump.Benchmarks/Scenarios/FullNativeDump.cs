using System.Globalization;
using Dump.Benchmarks.Measuring;
using Dump.Benchmarks.Peers;
using Dump.Testing.Lab;

namespace Dump.Benchmarks.Scenarios;

/// <summary>A real native hang, dumped with all memory: about 130 MB.</summary>
internal static class FullNativeDump
{
    private const string BallastVariable = "SAMPLE_BALLAST_MEBIBYTES";
    private const int Ballast = 88;

    /// <exception cref="ScenarioUnavailableException">The lab cannot be had.</exception>
    public static Contest Prepare(Workspace workspace)
    {
        if (WineLab.Shared.Unavailable is { } reason)
        {
            throw new ScenarioUnavailableException(reason);
        }

        LabDump hang = MakeHang();
        int threads = hang.Threads.Sum(t => t.Value.Count);
        List<string> absent = [];
        Contestant[] all =
        [
            DumpAnalyzeCommand.Verdict(workspace.DumpAnalyze, hang.Path, "DUMP1001"),
            DumpAnalyzeCommand.AllStacks(workspace.DumpAnalyze, hang.Path, "DUMP1001", threads),
            .. StackWalk.On(hang.Path, threads, absent),
            .. Debugger.On(hang.Path, threads, absent),
        ];
        string size = string.Create(CultureInfo.InvariantCulture, $"{new FileInfo(hang.Path).Length / 1e6:0} MB");
        return new Contest($"full: real loader-lock hang, full native dump of {size}, {threads} threads", all, absent);
    }

    /// <summary>The hang and its dump.</summary>
    /// <exception cref="InvalidOperationException">The sample did not reach its state.</exception>
    internal static LabDump MakeHang()
    {
        Environment.SetEnvironmentVariable(BallastVariable, Ballast.ToString(CultureInfo.InvariantCulture));
        LabDump hang = WineLab.Shared.Dump("loader-exit", DumpKind.Full, "--victims");
        Environment.SetEnvironmentVariable(BallastVariable, null);
        return hang;
    }
}
