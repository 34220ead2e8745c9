using Dump.Analysis;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>
/// Function-local static variables of Microsoft's compiler, on minidumps made by hand: a thread waits in _Init_thread_header until another has initialised the
/// variable.
/// </summary>
public sealed class StaticInitialisationTests
{
    private const uint A = 0x20;
    private const uint B = 0x24;
    private const uint C = 0x28;
    private const int Guard = 0x100;
    private const int Lock = 0x140;
    private const ulong BeingInitialised = uint.MaxValue;

    /// <summary>B waits for the variable and holds the lock that A, inside the same function, wants.</summary>
    private static (AddressWaitScene Scene, FakeFunction Function) Crossed(ulong state = BeingInitialised)
    {
        AddressWaitScene scene = new();
        ulong guard = scene.Word(Guard, state);
        FakeFunction function = scene.Program.CallWith("function_with_static", (uint)guard, 0);
        scene.Entering(A, scene.Section(Lock, B, 1), [scene.Program.Function("initial_value", exported: false), function]);
        scene.WaitingForStatic(B, function);
        return (scene, function);
    }

    [Fact]
    public void The_only_other_thread_inside_the_function_may_be_the_one_that_initialises()
    {
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(Crossed().Scene.Process);
        Assert.Equal((new Resource(ResourceKind.OneTimeInitialization, 0x406100), WaitTimeout.Infinite), Wait(snapshot, B));
        Verdict verdict = Assert.Single(HangAnalysis.Run(snapshot).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Suspected), (verdict.DetectorId, verdict.Confidence));
        Assert.Contains(
            "Thread 1 (0x24) waits for initialisation of the static variable with guard 0x406100, possibly run by thread 0 (0x20).",
                SyntheticAnalysis.Sentences(verdict));
    }

    [Fact]
    public void A_function_that_needs_its_own_variable_to_initialise_it_may_wait_for_itself()
    {
        AddressWaitScene scene = new();
        FakeFunction function = scene.Program.CallWith("function_with_static", (uint)scene.Word(Guard, BeingInitialised), 0);
        scene.WaitingForStatic(A, function, [scene.Program.Function("initial_value", exported: false), function]);
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(scene.Process).Verdicts);
        Assert.Equal((Confidence.Suspected, "Thread 0 (0x20) may be waiting for itself."), (verdict.Confidence, verdict.Claims[0].Text));
    }

    [Fact]
    public void Of_two_threads_inside_the_function_neither_is_named()
    {
        (AddressWaitScene scene, FakeFunction function) = Crossed();
        scene.Process.Threads.Add(new FakeThread(C, [scene.Ntdll.Stub("NtDelayExecution"), function, scene.Ntdll.Function("RtlUserThreadStart")]));
        Assert.Empty(HangAnalysis.Run(SyntheticAnalysis.Read(scene.Process)).Verdicts);
    }

    [Fact]
    public void A_guard_that_nobody_is_initialising_leaves_the_condition_variable() =>
        Assert.Equal(ResourceKind.ConditionVariable, Wait(SyntheticAnalysis.Read(Crossed(state: 0).Scene.Process), B).Resource.Kind);

    private static (Resource Resource, WaitTimeout Timeout) Wait(ProcessSnapshot snapshot, uint thread)
    {
        WaitFact wait = Assert.Single(snapshot.Waits, w => w.ThreadId == thread);
        return (wait.Resource, wait.Timeout);
    }
}
