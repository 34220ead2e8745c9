using Dump.Benchmarks.Measuring;
using Dump.Benchmarks.Peers;
using Dump.Testing.Fixtures;

namespace Dump.Benchmarks.Scenarios;

/// <summary>A committed dump of 100 KB: what starting up costs.</summary>
internal static class SmallFixture
{
    public static Contest Prepare(Workspace workspace)
    {
        string dump = Fixture.Named("loader-exit").Path;
        List<string> absent = [];
        Contestant?[] all = [DumpAnalyzeCommand.On(workspace, dump, "DUMP1001"), StackWalk.On(dump, absent), Debugger.On(dump, absent)];
        return new Contest("small: fixture loader-exit.dmp", workspace.Folder, [.. all.OfType<Contestant>()], absent);
    }
}
