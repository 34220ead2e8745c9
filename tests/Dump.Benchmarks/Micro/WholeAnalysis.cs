using BenchmarkDotNet.Attributes;
using Dump.Analysis;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing.Synthetic;

namespace Dump.Benchmarks.Micro;

/// <summary>A synthetic loader hang with many threads, from bytes to facts and from facts to verdict.</summary>
[MemoryDiagnoser]
public class WholeAnalysis
{
    private byte[] _bytes = [];
    private ProcessSnapshot? _snapshot;

    /// <summary>Threads that queue behind the deadlock.</summary>
    [Params(10, 1_000, 8_000)]
    public int Victims { get; set; }

    /// <summary>Makes the dump.</summary>
    [GlobalSetup]
    public void Setup()
    {
        _bytes = new LoadOwnershipScene { Victims = Victims }.Build().ToMinidump();
        _snapshot = Read();
    }

    /// <summary>Reading: streams, stacks, waits, locks.</summary>
    [Benchmark]
    public ProcessSnapshot Read()
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(_bytes);
        return WindowsSnapshotReader.Read(dump, "benchmark");
    }

    /// <summary>Judging: graph, cycles, detectors.</summary>
    [Benchmark]
    public AnalysisResult Judge() => HangAnalysis.Run(_snapshot!);
}
