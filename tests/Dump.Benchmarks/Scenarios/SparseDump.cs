using System.Globalization;
using Dump.Benchmarks.Measuring;
using Dump.Benchmarks.Peers;
using Dump.Testing.Synthetic;

namespace Dump.Benchmarks.Scenarios;

/// <summary>A dump larger than 25 GB with 200 threads and two million memory ranges; its filling is holes in the file, so it takes little disk space.</summary>
internal static class SparseDump
{
    private const int Victims = 198;
    private const int Ranges = 2_000_000;
    private const int RangeSize = 0x3200;

    public static Contest Prepare(Workspace workspace)
    {
        string dump = Path.Combine(workspace.Folder, "sparse.dmp");
        FakeProcess process = new LoadOwnershipScene { Victims = Victims }.Build();
        SparseMinidump.Write(process.ToMinidump(), dump, Ranges, RangeSize);
        List<string> absent = [];
        Contestant?[] all = [DumpAnalyzeCommand.On(workspace, dump, "DUMP1001"), StackWalk.On(dump, absent), Debugger.On(dump, absent)];
        string size = string.Create(CultureInfo.InvariantCulture, $"{new FileInfo(dump).Length / 1e9:0.0} GB");
        return new Contest($"sparse: {size}, {Victims + 2} threads, {Ranges:N0} memory ranges", workspace.Folder, [.. all.OfType<Contestant>()], absent);
    }
}
