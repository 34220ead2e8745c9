using System.Collections.Immutable;
using BenchmarkDotNet.Attributes;
using Dump.Analysis.Graph;
using Dump.Model.Facts;
using Dump.Model.Waits;

namespace Dump.Benchmarks.Micro;

/// <summary>Cycle search in a ring of waiting threads, the deepest graph there can be.</summary>
[MemoryDiagnoser]
public class LongChain
{
    private ImmutableArray<WaitFact> _waits;
    private ImmutableArray<OwnershipFact> _ownerships;

    /// <summary>Threads in the ring.</summary>
    [Params(100, 10_000)]
    public int Threads { get; set; }

    /// <summary>Makes the facts.</summary>
    [GlobalSetup]
    public void Setup()
    {
        ImmutableArray<Evidence> evidence = [new Evidence(EvidenceSource.Memory, "made for measuring")];
        _waits = [.. Enumerable.Range(0, Threads).Select(i => new WaitFact((uint)i, Lock((i + 1) % Threads), WaitTimeout.Infinite, Grade.Proven, evidence))];
        _ownerships = [.. Enumerable.Range(0, Threads).Select(i => new OwnershipFact(Lock(i), (uint)i, true, 1, Grade.Proven, evidence))];
    }

    /// <summary>Graph and cycles.</summary>
    [Benchmark]
    public int Find() => CycleFinder.Find(new WaitGraph(_waits, _ownerships)).Count;

    private static Resource Lock(int index) => new(ResourceKind.CriticalSection, (ulong)index);
}
