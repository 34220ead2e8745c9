using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>std::mutex of msvcp140.dll, on minidumps made by hand: the owner stands beside the SRW lock that its waiters wait for.</summary>
public sealed class StandardMutexTests
{
    private const uint A = 0x20;
    private const uint B = 0x24;
    private const int First = 0x100;
    private const int Second = 0x180;

    /// <summary>A holds the first mutex and wants the second, B the other way round.</summary>
    private static AddressWaitScene Crossed(string function = "_Mtx_lock", uint type = 2, uint count = 1, uint owner = A)
    {
        AddressWaitScene scene = new();
        ulong first = scene.Mutex(First, waiter: 1, owner, count, type);
        ulong second = scene.Mutex(Second, waiter: 0, B, 1);
        scene.Locking(A, second);
        scene.Locking(B, first, function);
        return scene;
    }

    [Fact]
    public void Crossed_mutexes_are_a_deadlock()
    {
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(Crossed().Process).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(new[] { A, B }, verdict.Threads.ToArray());
        Assert.Equal(
            "Thread 0 (0x20) waits for SRW lock of the std::mutex 0x406190 (held, 1 known waiter), held by thread 1 (0x24).", verdict.Claims[1]
                .Text);
    }

    /// <summary>On x64 <c>_Mtx_lock</c> ends in a jump: without symbols only the program's call names it.</summary>
    [Theory]
    [InlineData("MSVCP140", 0x48)]
    [InlineData("msvcp_win", 0x18)]
    public void Function_that_jumped_on_is_named_by_the_call(string library, int owner)
    {
        const int Import = 0x300;
        AddressWaitScene scene = new(library: library);
        ulong first = scene.Mutex(First, waiter: 1, A, ownerOffset: owner);
        ulong second = scene.Mutex(Second, waiter: 0, B, ownerOffset: owner);
        scene.LockingByJump(A, second, Import);
        scene.LockingByJump(B, first, Import);
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(scene.Process).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(scene.Process);
        Assert.All(snapshot.Threads, t => Assert.Contains(t.Stack.Frames, f => f is { Function: null, EnteredAs: "_Mtx_lock" }));
    }

    [Theory]
    [InlineData("other_function", 2u, 1u, A)] // no function that locks a mutex
    [InlineData("_Mtx_lock", 0x1000u, 1u, A)] // no such type
    [InlineData("_Mtx_lock", 2u, 0u, A)] // owned by nobody, by its count
    [InlineData("_Mtx_lock", 2u, 1u, 0x9990u)] // owned by no thread
    [InlineData("_Mtx_lock", 2u, 1u, uint.MaxValue)] // owned by nobody
    public void Where_the_structure_contradicts_itself_no_owner_is_named(string function, uint type, uint count, uint owner)
    {
        AnalysisResult result = SyntheticAnalysis.Of(Crossed(function, type, count, owner).Process);
        Assert.Empty(result.Verdicts);
        Assert.Contains(result.Outcomes.SelectMany(o => o.Missing), m => m.What.Contains("for 1 waiting thread", StringComparison.Ordinal));
    }
}
