using System.Globalization;
using Dump.Benchmarks.Measuring;
using Dump.Benchmarks.Peers;
using Dump.Testing.Synthetic;

namespace Dump.Benchmarks.Scenarios;

/// <summary>
/// A dump larger than 25 GB with 200 threads, two million saved ranges and as many entries in its memory map. The filling is holes in the file, so it takes
/// little disk space; the threads' stacks are walked by unwind information.
/// </summary>
internal static class SparseDump
{
    private const int Victims = 198;
    private const int Threads = Victims + 2;
    private const int Depth = 40;
    private const int Ranges = 2_000_000;
    private const int RangeSize = 0x3200;
    private const long NeededDiskBytes = 400_000_000;
    private static readonly Target s_target = new(TimeSpan.FromSeconds(3), 300_000_000);

    /// <exception cref="ScenarioUnavailableException">The disk is nearly full.</exception>
    public static Contest Prepare(Workspace workspace)
    {
        workspace.RequireFreeSpace(NeededDiskBytes);
        string dump = Path.Combine(workspace.Folder, "sparse.dmp");
        FakeProcess process = new LoadOwnershipScene { Victims = Victims, VictimDepth = Depth }.Build();
        process.UnusedStreams = 1;
        SparseMinidump.Write(process.ToMinidump(), dump, Ranges, RangeSize);
        List<string> absent = [];
        Contestant[] all =
        [
            DumpAnalyzeCommand.Verdict(workspace.DumpAnalyze, dump, "DUMP1001"),
            DumpAnalyzeCommand.AllStacks(workspace.DumpAnalyze, dump, "DUMP1001", Threads),
            .. StackWalk.On(dump, Threads, absent),
            .. Debugger.On(dump, Threads, absent),
        ];
        string size = string.Create(CultureInfo.InvariantCulture, $"{new FileInfo(dump).Length / 1e9:0.0} GB");
        return new Contest($"sparse: {size}, {Threads} threads, {Ranges:N0} memory ranges", all, absent, s_target);
    }
}
