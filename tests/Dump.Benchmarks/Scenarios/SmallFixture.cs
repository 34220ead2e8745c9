using Dump.Benchmarks.Measuring;
using Dump.Benchmarks.Peers;
using Dump.Testing.Fixtures;

namespace Dump.Benchmarks.Scenarios;

/// <summary>A committed dump of 100 KB: what starting up costs, and what compiling ahead of time saves.</summary>
internal static class SmallFixture
{
    public static Contest Prepare(Workspace workspace)
    {
        Fixture fixture = Fixture.Named("loader-exit");
        int threads = fixture.Threads.Sum(t => t.Value.Count);
        List<string> absent = [];
        Contestant[] all =
        [
            DumpAnalyzeCommand.Verdict(workspace.DumpAnalyze, fixture.Path, "DUMP1001"),
            DumpAnalyzeCommand.Verdict(workspace.DumpAnalyzeWithoutReadyToRun, fixture.Path, "DUMP1001", "`dumpanalyze` not ReadyToRun"),
            .. StackWalk.On(fixture.Path, threads, absent),
            .. Debugger.On(fixture.Path, threads, absent),
        ];
        return new Contest("small: fixture loader-exit.dmp, start-up cost", all, absent);
    }
}
