using Dump.Analysis;
using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing.Synthetic;

namespace Dump.Readers.Tests.Minidump;

/// <summary>A dump of more than 4 GiB, nearly all of it holes, reads like the small one that it was made from.</summary>
public sealed class LargeDumpTests : IDisposable
{
    private const int Ranges = 70_000;
    private const int RangeSize = 0x1_0000;
    private readonly string _path = Path.GetTempFileName();
    private readonly FakeProcess _process = new LoadOwnershipScene { Victims = 3, VictimDepth = 10 }.Build();

    public LargeDumpTests() => _process.UnusedStreams = 1;

    [SkippableFact]
    public void Memory_behind_four_gibibytes_is_found_and_the_verdict_stays()
    {
        Skip.If(OperatingSystem.IsWindows(), "files get no holes by themselves on Windows");
        byte[] small = _process.ToMinidump();
        SparseMinidump.Write(small, _path, Ranges, RangeSize);
        using MinidumpFile few = MinidumpFile.FromBytes(small);
        using MinidumpFile many = MinidumpFile.Open(_path);
        Assert.Equal(few.MemoryRanges.Count + Ranges, many.MemoryRanges.Count);
        Assert.InRange(many.FileSize, 1L << 32, long.MaxValue);
        ulong ntdll = _process.Images[^1].BaseAddress;
        Assert.InRange(many.MemoryRanges.Single(r => r.Address == ntdll).Bytes.Offset, 1L << 32, many.FileSize);
        Assert.Equal(Facts(few), Facts(many));
    }

    [SkippableFact]
    public void The_memory_map_is_read_entry_by_entry()
    {
        Skip.If(OperatingSystem.IsWindows(), "files get no holes by themselves on Windows");
        SparseMinidump.Write(_process.ToMinidump(), _path, Ranges, RangeSize);
        using MinidumpFile dump = MinidumpFile.Open(_path);
        IReadOnlyList<MinidumpMemoryRegion> regions = dump.MemoryRegions!;
        Assert.Equal(dump.MemoryRanges.Select(r => (r.Address, (ulong)r.Bytes.Size)), regions.Select(r => (r.Address, r.Size)));
        Assert.Equal(new MinidumpMemoryRegion(0x0000_0200_0000_0000, 0x0000_0200_0000_0000, 4, RangeSize, 0x1000, 4, 0x20000),
            regions.First(r => r.Address >= 0x0000_0200_0000_0000));
        Assert.Throws<ArgumentOutOfRangeException>(() => regions[regions.Count]);
        Assert.Throws<ArgumentOutOfRangeException>(() => regions[-1]);
    }

    public void Dispose() => File.Delete(_path);

    private static (string, int, int) Facts(MinidumpFile dump)
    {
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, "synthetic");
        Assert.Empty(snapshot.Problems);
        return (HangAnalysis.Run(snapshot).Verdicts.Single().DetectorId, snapshot.Threads.Length, snapshot.Threads.Sum(t => t.Stack.Frames.Length));
    }
}
