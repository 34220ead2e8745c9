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

    public static Contest Prepare(Workspace workspace)
    {
        if (WineLab.Shared.Unavailable is { } reason)
        {
            throw new InvalidOperationException($"This scenario needs the lab: {reason}");
        }

        Environment.SetEnvironmentVariable(BallastVariable, Ballast.ToString(CultureInfo.InvariantCulture));
        string dump = WineLab.Shared.Dump("loader-exit", DumpKind.Full, "--victims").Path;
        Environment.SetEnvironmentVariable(BallastVariable, null);
        List<string> absent = [];
        Contestant?[] all = [DumpAnalyzeCommand.On(workspace, dump, "DUMP1001"), StackWalk.On(dump, absent), Debugger.On(dump, absent)];
        string size = string.Create(CultureInfo.InvariantCulture, $"{new FileInfo(dump).Length / 1e6:0} MB");
        return new Contest($"full: real loader-lock hang, full native dump of {size}", workspace.Folder, [.. all.OfType<Contestant>()], absent);
    }
}
