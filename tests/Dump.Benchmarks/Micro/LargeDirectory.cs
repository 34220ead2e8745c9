using BenchmarkDotNet.Attributes;
using Dump.Readers.Minidump;
using Dump.Testing.Synthetic;

namespace Dump.Benchmarks.Micro;

/// <summary>Opening a minidump with a long list of memory ranges: what every command on a large dump pays first.</summary>
[MemoryDiagnoser]
public class LargeDirectory
{
    private const int RangeSize = 0x1000;
    private readonly string _path = Path.GetTempFileName();

    /// <summary>Saved ranges.</summary>
    [Params(10_000, 2_000_000)]
    public int Ranges { get; set; }

    /// <summary>Makes the dump; its ranges are holes.</summary>
    [GlobalSetup]
    public void Setup()
    {
        FakeProcess process = new LoadOwnershipScene().Build();
        process.UnusedStreams = 1;
        SparseMinidump.Write(process.ToMinidump(), _path, Ranges, RangeSize);
    }

    /// <summary>Opens and closes it.</summary>
    [Benchmark]
    public int Open()
    {
        using MinidumpFile dump = MinidumpFile.Open(_path);
        return dump.MemoryRanges.Count;
    }

    /// <summary>Deletes the dump.</summary>
    [GlobalCleanup]
    public void Cleanup() => File.Delete(_path);
}
