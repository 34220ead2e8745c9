using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Managed;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>DUMP5001: threads that wait for what only they reach, while the rest of the program works; told apart from programs that are parked.</summary>
public sealed class UnendingWaitTests
{
    private static readonly Resource s_barrier = new(ResourceKind.ManagedSignal, 0x5000);
    private static readonly Resource s_task = new(ResourceKind.ManagedTask, 0x6000);

    private static ThreadSnapshot Managed(ThreadSnapshot thread) => thread with
    {
        ManagedId = (int)thread.Id,
        Stack = thread.Stack with { Frames = [.. thread.Stack.Frames.Select(f => f with { Symbol = SymbolSource.Metadata })] },
    };

    /// <summary>Thread 1 sleeps and works, as a program's own timer does; thread 2 and those behind it wait.</summary>
    private static ProcessSnapshot Waiting(Resource resource, string name, string[] frames, int threads = 1, params EndlessWait[] endless)
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(1, ThreadActivityKind.Sleeping, ["system.private.corelib!System.Threading.Thread.Sleep", "app!Sweep"])
            .With(Managed).Wait(1, new Resource(ResourceKind.Time, 0, 1), WaitTimeout.Finite, milliseconds: 500);
        for (uint id = 2; id < 2 + threads; id++)
        {
            builder.Thread(id, frames: ["system.private.corelib!System.Threading.ManualResetEventSlim.Wait", .. frames]).With(Managed)
                .Wait(id, resource, WaitTimeout.Infinite);
        }

        return builder.Build() with
        {
            ResourceDescriptions = ImmutableDictionary<Resource, ResourceDescription>.Empty.Add(resource, new ResourceDescription(name, null)),
            AsyncWaits = new AsyncWaits { Endless = endless.Length > 0 ? [.. endless] : [.. Enumerable.Range(2, threads).Select(t => new EndlessWait((uint)t))] },
        };
    }

    private static Verdict? Verdict(ProcessSnapshot snapshot) => HangAnalysis.Run(snapshot).Verdicts.SingleOrDefault(v => v.DetectorId == "DUMP5001");

    [Fact]
    public void Threads_that_only_have_what_they_wait_for_are_suspected_beside_one_that_works()
    {
        Verdict verdict = Verdict(Waiting(s_barrier, "Barrier", ["system.threading!System.Threading.Barrier.SignalAndWait", "app!Cell"], threads: 3))!;
        Assert.Equal(("Nobody is left to end a wait", Confidence.Suspected), (verdict.Title, verdict.Confidence));
        Assert.Equal<uint>([2, 3, 4], verdict.Threads);
        Assert.Equal("3 threads wait for Barrier 0x5000, without a time limit.", verdict.Claims[0].Text);
        Assert.Equal(Confidence.Suspected, verdict.Claims[^1].Confidence);
    }

    [Fact]
    public void Method_at_the_end_of_a_chain_of_awaits_is_named()
    {
        EndlessWait found = new(2) { Method = new AwaitingMethod("App.ReadAsync", 1), Awaited = "TaskCompletionSource", AwaitedObject = 0x7000 };
        Verdict verdict = Verdict(Waiting(s_task, "Task", ["app!Main"], 1, found))!;
        Assert.EndsWith("; App.ReadAsync awaits TaskCompletionSource 0x7000 there.", verdict.Claims[0].Text, StringComparison.Ordinal);
        Assert.Equal<string>(["App.ReadAsync"], verdict.AsyncMethods);
        verdict = Verdict(Waiting(s_task, "Task", ["app!Main"], 1, found with { Awaited = null, AwaitedObject = null, HasCompleted = true }))!;
        Assert.EndsWith("; what App.ReadAsync awaits there has completed, and nobody runs what continues it.", verdict.Claims[0].Text, StringComparison.Ordinal);
    }

    /// <summary>
    /// A thread of the program's own waits for a signal or an item of its own, and nobody for it: the first one until somebody ends the program, a worker of an
    /// object that was dropped. One in the middle of its work, one of the pool, and one that somebody waits for are none.
    /// </summary>
    [Theory]
    [InlineData("app!Park app!Program.Main", 1, "", false)]
    [InlineData("app!Park app!Program.Main system.private.corelib!System.Environment.CallEntryPoint", 1, "", false)]
    [InlineData("app!Logger.Loop", 2, "", false)]
    [InlineData("app!Logger.Loop", 1, "pool", true)]
    [InlineData("app!Logger.Loop", 1, "joined", true)]
    [InlineData("system.private.corelib!System.Threading.CountdownEvent.Wait app!Program.Main", 1, "", true)]
    [InlineData("system.collections.concurrent!System.Collections.Concurrent.BlockingCollection<System.__Canon>.Add app!Program.Main", 1, "", true)]
    [InlineData("system.collections.concurrent!System.Collections.Concurrent.BlockingCollection<System.__Canon>.Take app!Logger.Loop", 1, "", false)]
    public void Parked_thread_is_none(string frames, int threads, string what, bool isFound)
    {
        ProcessSnapshot snapshot = Waiting(s_barrier, "object", frames.Split(' '), threads);
        if (what == "pool")
        {
            snapshot = snapshot with { ThreadPool = new ThreadPoolState([2], 4, 0) };
        }
        else if (what == "joined")
        {
            Resource end = new(ResourceKind.Thread, 2);
            WaitFact join = new(1, end, WaitTimeout.Infinite, Grade.Proven, [new Evidence(EvidenceSource.Rule, "by hand")]);
            snapshot = snapshot with { Waits = [.. snapshot.Waits, join], Ownerships = [new OwnershipFact(end, 2, true, null, Grade.Proven, join.Evidence)] };
        }

        Assert.Equal(isFound, Verdict(snapshot) is not null);
    }

    /// <summary><c>Thread.CurrentThread.Join()</c> in <c>Main</c>; any other thread at its own end is stuck.</summary>
    [Theory]
    [InlineData("app!Program.Main", false)]
    [InlineData("app!Worker.Run", true)]
    public void First_thread_that_waits_for_its_own_end_is_parked(string outermost, bool isFound)
    {
        Resource end = new(ResourceKind.Thread, 1);
        ProcessSnapshot snapshot = new SnapshotBuilder().Thread(1, frames: ["system.private.corelib!System.Threading.Thread.Join", outermost]).With(Managed)
            .Wait(1, end, WaitTimeout.Infinite).Own(end, 1).Build();
        Assert.Equal(isFound, HangAnalysis.Run(snapshot).Verdicts.Any(v => v.DetectorId == "DUMP1002"));
    }

    [Theory]
    [InlineData("App.Main", "TaskCompletionSource", false)]
    [InlineData("App.ServeAsync", "TaskCompletionSource", true)]
    [InlineData("App.ServeAsync", "Task.Delay", false)]
    public void Parked_async_program_is_none(string method, string awaited, bool isFound)
    {
        EndlessWait found = new(2) { Method = new AwaitingMethod(method, 1), Awaited = awaited };
        Assert.Equal(isFound, Verdict(Waiting(s_task, "Task", ["app!Program.Main"], 1, found)) is not null);
    }

    /// <summary>A cycle of locks explains what waits behind it.</summary>
    [Fact]
    public void Thread_that_waits_for_another_one_is_no_cause()
    {
        SnapshotBuilder builder = new SnapshotBuilder().Thread(2, frames: ["app!Worker"]).With(Managed).Wait(2, s_barrier, WaitTimeout.Infinite)
            .Thread(3, frames: ["app!Main"]).With(Managed).Wait(3, new Resource(ResourceKind.Thread, 2), WaitTimeout.Infinite);
        ProcessSnapshot snapshot = builder.Own(new Resource(ResourceKind.Thread, 2), 2).Build() with
        {
            AsyncWaits = new AsyncWaits { Endless = [new EndlessWait(2), new EndlessWait(3)] },
        };
        Verdict verdict = Verdict(snapshot)!;
        Assert.Equal<uint>([2], verdict.Threads);
        Assert.Equal<uint>([3], verdict.Victims.SelectMany(v => v.ThreadIds));
    }
}
