using Dump.Analysis.Looks;
using Dump.Analysis.Options;
using Dump.Analysis.Spinning;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Analysis.Tests.SnapshotBuilder;

namespace Dump.Analysis.Tests;

/// <summary>
/// Many waits, as only a hostile dump has them, are all judged, and the memory that is allocated for it grows with their number and not
/// with its square. How the time grows is measured by the benchmark WholeAnalysis, never by a test: a test's figure would depend on the moment.
/// </summary>
public sealed class ManyVerdictsTests
{
    private const uint Times = 8;

    // Between growth in step and growth with the square, which is 64.
    private const double MostGrowth = 16;

    [Fact]
    public void Hundreds_of_orphaned_locks_of_an_exiting_process()
    {
        const uint Few = 1_000;
        Assert.Equal((int)(Few * Times), AssertGrowth(Few, Orphaned).Verdicts.Length);
    }

    [Theory]
    [InlineData(1u)]
    [InlineData(64u)]
    public void Hundreds_of_waits_for_any_one_of_64_objects(uint holders) =>
        Assert.NotEmpty(AssertGrowth(125, count => WaitingForAny(count, holders)).Verdicts);

    /// <summary>Each spins in a library of its own on a word of its own, and one blocked thread has frames of all.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Hundreds_of_spinning_threads(bool isOneLibrary)
    {
        AssertGrowth(250, count => Spinning(count, isOneLibrary));
        Assert.Equal(4, SpinLockRule.Apply(Spinning(4, isOneLibrary), AnalysisOptions.Default).Ownerships.Length);
    }

    /// <summary>None of the first dump's verdicts stands in the second, or each does.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Hundreds_of_verdicts_in_two_dumps(bool stand)
    {
        const int Cycled = 50;
        AnalysisResult result = AssertGrowth(
            Cycled, count => Cycles(count, 0), later => PairAnalysis.Run(SnapshotPair.Create(later, stand ? later : Cycles(10, 0x10_0000), out _)!).Result);
        Assert.Equal(stand ? Cycled * (int)Times : 10, result.Verdicts.Length);
        Assert.Equal(!stand, result.Notes.Length > 0);
    }

    /// <summary>One owner of thousands of locks with a waiter each, in two dumps.</summary>
    [Fact]
    public void Hundreds_of_locks_of_one_owner_in_two_dumps() =>
        Assert.Single(AssertGrowth(75, Owner, s => PairAnalysis.Run(SnapshotPair.Create(s, s, out _)!).Result).Verdicts);

    [Fact]
    public void Hundreds_of_suspended_owners()
    {
        const uint Few = 250;
        Assert.Equal((int)(Few * Times), AssertGrowth(Few, Suspended).Verdicts.Length);
    }

    private static ProcessSnapshot Suspended(uint count)
    {
        SnapshotBuilder builder = new();
        for (uint i = 1; i <= count; i++)
        {
            uint owner = 2 * i, waiter = owner + 1;
            builder.Thread(owner, ThreadActivityKind.Running).With(t => t with { SuspendedAbove = 1 }).Own(Section(i * 0x100), owner)
                .Thread(waiter).With(t => t with { SuspendedAbove = 0 }).Wait(waiter, Section(i * 0x100));
        }

        return builder.Build();
    }

    private static ProcessSnapshot Spinning(uint count, bool isOneLibrary)
    {
        SnapshotBuilder builder = new();
        string Library(uint i) => isOneLibrary ? "math" : $"math{i}";
        for (uint i = 1; i <= count; i++)
        {
            builder.Thread(i, ThreadActivityKind.Yielding, ["ntdll!NtYieldExecution", "kernelbase!SwitchToThread", $"{Library(i)}!wait", "app!work"],
                words: [new SpinWord(0x1000 + (i * 8ul), 0xFFFF_0000, null, true)]);
        }

        builder.Thread(count + 1, frames: [.. Enumerable.Range(1, isOneLibrary ? 1 : (int)count).Select(i => $"{Library((uint)i)}!work")])
            .Wait(count + 1, Section(0x10));
        return builder.Build();
    }

    private static ProcessSnapshot Cycles(uint count, uint first)
    {
        SnapshotBuilder builder = new();
        for (uint i = 1; i <= count; i++)
        {
            uint left = first + (2 * i), right = left + 1;
            builder.Thread(left).Thread(right).Own(Section(left * 0x100ul), left).Own(Section(right * 0x100ul), right)
                .Wait(left, Section(right * 0x100ul)).Wait(right, Section(left * 0x100ul));
        }

        return builder.Build();
    }

    private static ProcessSnapshot Owner(uint count)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1).Wait(1, new Resource(ResourceKind.Event, 0x44));
        for (uint i = 2; i <= count; i++)
        {
            builder.Own(Section(i * 0x100), 1, contentions: 3).Thread(i).Wait(i, Section(i * 0x100));
        }

        return builder.Build();
    }

    private static ProcessSnapshot Orphaned(uint count)
    {
        SnapshotBuilder builder = new() { Loader = new LoaderState(null, null, true, null, null) };
        string[] frames = [.. Enumerable.Range(0, 20).Select(i => $"app!f{i}")];
        for (uint i = 1; i <= count; i++)
        {
            builder.Thread(i, frames: frames).Wait(i, Section(i * 0x100)).Own(Section(i * 0x100), count + i, alive: false);
        }

        return builder.Build();
    }

    private static ProcessSnapshot WaitingForAny(uint count, uint holders)
    {
        SnapshotBuilder builder = new();
        for (uint i = 0; i < count; i++)
        {
            builder.Thread(i + 1).Own(Section((i + 1) * 0x100), i + 1);
            for (uint k = 0; k < 64; k++)
            {
                builder.Wait(i + 1, Section((((i + 1 + (((i * 7) + ((k % holders) * 13)) % (count - 1))) % count) + 1) * 0x100), any: true);
            }
        }

        return builder.Build();
    }

    /// <summary>Judges few and many, and returns the result on many.</summary>
    private static AnalysisResult AssertGrowth(uint few, Func<uint, ProcessSnapshot> make, Func<ProcessSnapshot, AnalysisResult>? judge = null)
    {
        Func<ProcessSnapshot, AnalysisResult> run = judge ?? (s => Dump.Analysis.HangAnalysis.Run(s));
        ProcessSnapshot small = make(few), large = make(few * Times);
        run(small);
        (_, long ofFew) = Judge(small, run);
        (AnalysisResult result, long ofMany) = Judge(large, run);
        Assert.True(ofMany <= MostGrowth * ofFew, $"{few} took {ofFew} bytes, {Times} times as many {ofMany}");
        return result;
    }

    private static (AnalysisResult Result, long Bytes) Judge(ProcessSnapshot snapshot, Func<ProcessSnapshot, AnalysisResult> judge)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        AnalysisResult result = judge(snapshot);
        return (result, GC.GetAllocatedBytesForCurrentThread() - before);
    }
}
