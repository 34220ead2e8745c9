using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>COM calls from thread to thread: who waits for whom, and where nothing is said because it is not sure.</summary>
public sealed class ComCallTests
{
    private const uint A = 0x20;
    private const uint B = 0x24;
    private const uint C = 0x28;

    private static (uint Waiter, uint Server)[] Calls(ComScene scene)
    {
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(scene.Process);
        OwnershipFact[] served = [.. snapshot.Ownerships.Where(o => o.Resource.Kind == ResourceKind.ComCall)];
        Assert.All(served, o => Assert.Equal(Grade.Derived, o.Grade));
        Assert.Subset(snapshot.Waits.Where(w => w.Resource.Kind == ResourceKind.ComCall).Select(w => w.Resource).ToHashSet(), served.Select(o => o.Resource).ToHashSet());
        return [.. served.Select(o => (o.Resource.Owner, o.OwnerThreadId))];
    }

    /// <summary>A holds a lock and calls B by COM; B executes the call and waits for the lock.</summary>
    private static ComScene Deadlock()
    {
        ComScene scene = new();
        scene.Calling(A);
        scene.Executing(B, A, scene.Section(A, 1));
        return scene;
    }

    [Fact]
    public void Call_under_a_lock_that_the_executing_thread_needs_is_a_likely_deadlock()
    {
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(Deadlock().Process).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(
            [
                "2 threads wait for each other and none can go on, a deadlock: thread 0 (0x20), thread 1 (0x24).",
                "Thread 0 (0x20) waits for the answer to its COM call, most likely executed by thread 1 (0x24).",
                $"Thread 1 (0x24) waits for critical section 0x{Deadlock().Section(A, 1):x}, held by thread 0 (0x20).",
            ],
            SyntheticAnalysis.Sentences(verdict).Take(3));
    }

    /// <summary>What COM keeps lies on the heap, which small dumps leave out.</summary>
    [Fact]
    public void Without_what_COM_keeps_of_threads_the_question_is_open()
    {
        ComScene scene = Deadlock();
        scene.Process.HasComMemory = false;
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(scene.Process);
        Assert.Contains(snapshot.Missing, m => m.What.Contains("SOleTlsData", StringComparison.Ordinal));
        AnalysisResult result = SyntheticAnalysis.Of(scene.Process);
        Assert.DoesNotContain(result.Verdicts, v => v.DetectorId == "DUMP1002");
        Assert.Equal(DetectorOutcomeKind.InsufficientData, result.Outcomes.Single(o => o.DetectorId == "DUMP9001").Kind);
    }

    /// <summary>A thread without windows waits for its call, whoever executes it; one that COM keeps in its own wait for handles waits for these.</summary>
    [Fact]
    public void Call_that_nobody_is_seen_to_execute_is_waited_for_all_the_same()
    {
        ComScene scene = new();
        scene.Calling(A);
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(scene.Process);
        WaitFact wait = Assert.Single(snapshot.Waits);
        Assert.Equal((ResourceKind.ComCall, Grade.Derived, A), (wait.Resource.Kind, wait.Grade, wait.Resource.Owner));
        Assert.Empty(snapshot.Ownerships.Where(o => o.Resource.Kind == ResourceKind.ComCall));
        Assert.Empty(SyntheticAnalysis.Of(scene.Process).Verdicts);
    }

    [Fact]
    public void Nobody_waits_for_a_call_so_nothing_is_missing()
    {
        ComScene scene = new();
        scene.Computing(A, B);
        scene.Process.HasComMemory = false;
        Assert.DoesNotContain(SyntheticAnalysis.Read(scene.Process).Missing, m => m.What.Contains("SOleTlsData", StringComparison.Ordinal));
    }

    [Fact]
    public void Caller_in_the_multi_threaded_apartment_waits_for_the_call_and_not_for_an_event()
    {
        ComScene scene = new();
        scene.CallingByEvent(A);
        scene.Computing(B, A);
        Assert.Equal([(A, B)], Calls(scene));
        Assert.DoesNotContain(SyntheticAnalysis.Read(scene.Process).Waits, w => w.Resource.Kind == ResourceKind.Event);
        Assert.Empty(SyntheticAnalysis.Of(scene.Process).Verdicts);
    }

    [Fact]
    public void Chain_of_calls_is_followed_from_thread_to_thread()
    {
        ComScene scene = new();
        scene.Calling(A);
        scene.CallingOnBehalf(B, A);
        scene.Computing(C, B);
        Assert.Equal([(A, B), (B, C)], Calls(scene));
    }

    /// <summary>
    /// B calls back, A executes that in its wait and makes another call: its first call is the one that B executes, but not the one that it waits for.
    /// </summary>
    [Fact]
    public void Second_call_in_a_call_back_is_no_deadlock()
    {
        ComScene scene = new();
        scene.CallingTwice(A, B);
        scene.CallingOnBehalf(B, A);
        Assert.Equal([(B, A)], Calls(scene));
        Assert.DoesNotContain(SyntheticAnalysis.Of(scene.Process).Verdicts, v => v.DetectorId == "DUMP1002");
    }

    [Fact]
    public void Two_threads_that_name_one_caller_leave_it_open()
    {
        ComScene scene = new();
        scene.Calling(A);
        scene.Computing(B, A);
        scene.Computing(C, A);
        Assert.Empty(Calls(scene));
    }

    /// <summary>COM pumps for the program there, or for as long as a surrogate or a drag goes on: healthy programs stand so for days.</summary>
    [Theory]
    [InlineData("CoWaitForMultipleHandles")]
    [InlineData("CoRegisterSurrogateEx")]
    [InlineData("DoDragDrop")]
    public void Wait_that_the_program_asks_COM_for_is_no_call(string function)
    {
        ComScene scene = new();
        scene.WaitingForHandles(A, function);
        scene.Computing(B, A);
        Assert.Empty(Calls(scene));
        Assert.DoesNotContain(SyntheticAnalysis.Read(scene.Process).Waits, w => w.Resource.Kind == ResourceKind.ComCall);
    }

    [Fact]
    public void Stale_caller_of_a_thread_outside_of_COM_is_not_believed()
    {
        ComScene scene = new();
        scene.Calling(A);
        scene.Entering(B, A, scene.Section(A, 1));
        Assert.Empty(Calls(scene));
    }

    [Theory]
    [InlineData(0u)]
    [InlineData(0x9990u)]
    [InlineData(B)]
    public void Caller_that_is_no_other_thread_of_the_process_is_not_believed(uint caller)
    {
        ComScene scene = new();
        scene.Calling(A);
        scene.Computing(B, caller);
        Assert.Empty(Calls(scene));
    }

    [Fact]
    public void Thread_that_names_itself_is_not_believed()
    {
        ComScene scene = new();
        scene.Calling(A, caller: A);
        Assert.Empty(Calls(scene));
    }

    [Fact]
    public void Lock_that_COM_waits_for_is_better_known_than_the_call()
    {
        ComScene scene = new();
        scene.EnteringInsideCom(A, scene.Section(B, 1));
        scene.Computing(B, A);
        Assert.Empty(Calls(scene));
        Assert.Contains(SyntheticAnalysis.Read(scene.Process).Waits, w => w is { ThreadId: A, Resource.Kind: ResourceKind.CriticalSection });
    }

    [Fact]
    public void Flags_of_both_apartments_at_once_are_not_COMs_data()
    {
        ComScene scene = Deadlock();
        scene.Process.Threads[1] = scene.Process.Threads[1] with { Com = (0x180, A) };
        Assert.Empty(Calls(scene));
    }

    [Fact]
    public void Without_TEBs_nothing_is_said()
    {
        ComScene scene = Deadlock();
        scene.Process.HasTebMemory = false;
        Assert.Empty(Calls(scene));
        Assert.DoesNotContain(SyntheticAnalysis.Of(scene.Process).Verdicts, v => v.DetectorId == "DUMP1002");
    }
}
