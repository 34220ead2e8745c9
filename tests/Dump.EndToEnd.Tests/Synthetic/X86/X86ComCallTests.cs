using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;
using Dump.Testing.Synthetic.X86;

namespace Dump.EndToEnd.Tests.Synthetic.X86;

/// <summary>
/// COM calls from thread to thread of 32-bit processes, in 32-bit dumps and in 64-bit ones (WoW64), whose data of COM are those of the 32-bit thread block.
/// </summary>
public sealed class X86ComCallTests
{
    private const uint A = 0x20;
    private const uint B = 0x24;

    /// <summary>A holds a lock and calls B by COM; B executes the call and waits for the lock.</summary>
    private static FakeProcess Deadlock(bool isWow64, uint caller = A, bool hasComMemory = true)
    {
        X86ComScene scene = new() { Process = { HasComMemory = hasComMemory } };
        scene.Calling(A);
        scene.Executing(B, caller, scene.Section(A, 1));
        return isWow64 ? scene.Process.ToWow64() : scene.Process.ToX86();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Call_under_a_lock_that_the_executing_thread_needs_is_a_likely_deadlock(bool isWow64)
    {
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(Deadlock(isWow64)).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Contains("Thread 0 (0x20) waits for the answer to its COM call, most likely executed by thread 1 (0x24).", SyntheticAnalysis.Sentences(verdict));
        Assert.Contains(verdict.Chain.SelectMany(l => l.Evidence), e => e is { Address: 0x7D00_1034, Value: A });
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Apartment_is_read_from_the_narrow_structure(bool isWow64) =>
        Assert.Equal([ComApartmentKind.SingleThreaded, ComApartmentKind.SingleThreaded], SyntheticAnalysis.Read(Deadlock(isWow64))
            .Threads.Select(t => t.Apartment!.Kind));

    [Theory]
    [InlineData(false, 0u)]
    [InlineData(true, 0u)]
    [InlineData(false, 0x9990u)]
    [InlineData(true, 0x9990u)]
    [InlineData(false, B)]
    [InlineData(true, B)]
    public void Caller_that_is_no_other_thread_is_not_believed(bool isWow64, uint caller)
    {
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(Deadlock(isWow64, caller));
        Assert.DoesNotContain(snapshot.Ownerships, o => o.Resource.Kind == ResourceKind.ComCall);
        Assert.Contains(snapshot.Waits, w => w is { ThreadId: A, Resource.Kind: ResourceKind.Event });
    }

    /// <summary>They lie on the heap, which small dumps leave out.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Without_what_COM_keeps_of_threads_the_question_is_open(bool isWow64)
    {
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(Deadlock(isWow64, hasComMemory: false));
        Assert.Single(snapshot.Missing, m => m.What.Contains("SOleTlsData", StringComparison.Ordinal));
        Assert.All(snapshot.Threads, t => Assert.Equal(ComApartmentKind.NotInDump, t.Apartment?.Kind));
        AnalysisResult result = SyntheticAnalysis.Of(Deadlock(isWow64, hasComMemory: false));
        Assert.DoesNotContain(result.Verdicts, v => v.DetectorId == "DUMP1002");
        Assert.Equal(DetectorOutcomeKind.InsufficientData, result.Outcomes.Single(o => o.DetectorId == "DUMP9001").Kind);
    }
}
