using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>Joins, orphans and process exit under the loader of Windows 10, on minidumps made by hand.</summary>
public sealed class LoaderOwnershipTests
{
    private const uint A = 0x20;
    private const uint T = 0x24;
    private const uint Gone = 0x9990;
    private const uint ThreadHandle = 0x50;
    private static readonly uint[] s_victims = [0x100, 0x104, 0x108];

    /// <summary>
    /// A waits in DllMain for the end of T, which waits for the loader in the way that <paramref name="joined"/> adds; three more threads queue for the loader.
    /// </summary>
    internal static FakeProcess Join(Action<LoaderScene> joined, uint? milliseconds = uint.MaxValue, ulong? loadedEvent = null)
    {
        LoaderScene scene = new(loaderLockOwner: A, loadedEvent: loadedEvent);
        scene.WaitingInDllMain(A, ThreadHandle, milliseconds);
        joined(scene);
        scene.Process.Handles!.Add(FakeHandle.Thread(ThreadHandle, T));
        Victims(scene);
        return scene.Process;
    }

    private static void Victims(LoaderScene scene)
    {
        scene.Ending(s_victims[0]);
        scene.Beginning(s_victims[1]);
        scene.Resolving(s_victims[2]);
    }

    public static TheoryData<bool> EndsOrBegins => [true, false];

    [Theory]
    [MemberData(nameof(EndsOrBegins))]
    public void Thread_joined_in_DllMain_can_neither_end_nor_begin(bool ends)
    {
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(Join(s => (ends ? (Action<uint>)s.Ending : s.Beginning)(T))).Verdicts);
        Assert.Equal(("DUMP1004", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal([A, T], verdict.Threads.ToArray());
        Assert.Equal(new Culprit("plugin.dll", "DllMain (process detach)", A), verdict.Culprit);
        Assert.Equal(s_victims, verdict.Victims.SelectMany(v => v.ThreadIds).Order());
        Assert.Equal(
            [
                "2 threads wait for each other and none can go on, a deadlock: thread 0 (0x20), thread 1 (0x24).",
                "Thread 0 (0x20) waits for the end of thread 1 (0x24).",
                "Thread 1 (0x24) waits for load ownership (the loader's work queue), held by thread 0 (0x20).",
            ],
            SyntheticAnalysis.Sentences(verdict));
    }

    /// <summary>Without symbols the wait is certain where the nameless function loads that very handle from ntdll's data; another word there proves nothing.</summary>
    [Theory]
    [InlineData(LoaderScene.LoadCompleteEvent, Confidence.Confirmed)]
    [InlineData(LoaderScene.LoadCompleteEvent + 4, Confidence.Likely)]
    public void Wait_for_an_event_of_the_loader_is_as_sure_as_its_code(ulong loadedEvent, Confidence expected)
    {
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(Join(s => s.Ending(T), loadedEvent: loadedEvent)).Verdicts);
        Assert.Equal(("DUMP1004", expected), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(expected == Confidence.Confirmed, verdict.Chain.SelectMany(l => l.Evidence).Any(e => e is { Source: EvidenceSource.Code, Value: LoaderScene.LoadCompleteEvent }));
    }

    [Fact]
    public void Join_with_a_time_limit_is_no_deadlock() =>
        Assert.DoesNotContain(SyntheticAnalysis.Of(Join(s => s.Ending(T), milliseconds: 5000)).Verdicts, v => v.DetectorId is "DUMP1001" or "DUMP1004");

    [Fact]
    public void Join_whose_time_limit_is_not_known_is_only_suspected()
    {
        Verdict verdict = SyntheticAnalysis.Of(Join(s => s.Ending(T), milliseconds: null)).Verdicts.Single(v => v.DetectorId == "DUMP1004");
        Assert.Equal(Confidence.Suspected, verdict.Confidence);
        Assert.DoesNotContain("deadlock", string.Concat(SyntheticAnalysis.Sentences(verdict)) + verdict.Title, StringComparison.Ordinal);
    }

    [Fact]
    public void Join_of_a_thread_that_needs_no_loader_is_a_slow_thread() =>
        Assert.DoesNotContain(SyntheticAnalysis.Of(Join(s => s.Sleeping(T))).Verdicts, v => v.Confidence > Confidence.Suspected);

    /// <summary>
    /// B has become load owner and now waits for the loader lock, whose owner was ended from outside; the others wait for B's load ownership.
    /// </summary>
    [Fact]
    public void Orphaned_loader_lock_has_the_whole_queue_as_victims()
    {
        LoaderScene scene = new(Gone, loaderLockWaiters: 1);
        scene.Entering(T, scene.Process.LoaderLock, "LdrShutdownThread", isInDllMain: false);
        Victims(scene);
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(scene.Process).Verdicts);
        Assert.Equal(("DUMP1003", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal([T], verdict.Threads.ToArray());
        Assert.Equal(s_victims, verdict.Victims.SelectMany(v => v.ThreadIds).Order());
        Assert.Equal(
            ["The loader lock (critical section 0x7ff930006200) is held by thread 0x9990, which no longer exists; thread 0 (0x24) waits."],
            SyntheticAnalysis.Sentences(verdict));
    }

    [Fact]
    public void Load_ownership_that_ended_with_its_thread_is_orphaned_for_all_who_wait()
    {
        LoaderScene scene = new(loaderLockOwner: Gone);
        Victims(scene);
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(scene.Process).Verdicts);
        Assert.Equal(("DUMP1003", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(s_victims, verdict.Threads.ToArray());
    }

    /// <summary>At process exit the system ends all other threads first; DllMain then waits for a lock that one of them held.</summary>
    [Fact]
    public void Lock_of_an_ended_thread_at_process_exit_is_an_orphan_and_no_deadlock()
    {
        LoaderScene scene = new(loaderLockOwner: A, shutdownThread: A);
        ulong section = FakeProcess.Section(scene.Plugin, 0x80, Gone, 1);
        scene.Entering(A, section, "LdrShutdownProcess", isInDllMain: true);
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(scene.Process).Verdicts);
        Assert.Equal(("DUMP1003", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(
            [
                "Critical section 0x180006080 is held by thread 0x9990, which no longer exists; thread 0 (0x20) waits.",
                "The process is exiting: the system has already ended its other threads wherever they were, which orphans the locks they held.",
            ],
            SyntheticAnalysis.Sentences(verdict));
        Assert.Contains(verdict.Remedies, r => r.Contains("DLL_PROCESS_DETACH", StringComparison.Ordinal));
        Assert.DoesNotContain(verdict.Remedies, r => r.Contains("TerminateThread", StringComparison.Ordinal));
    }

    [Fact]
    public void Spin_at_process_exit_is_reported_without_an_owner()
    {
        const int LockWord = 0x100;
        LoaderScene scene = new(loaderLockOwner: A, shutdownThread: A);
        BitConverter.GetBytes(Gone).CopyTo(scene.Plugin.DataBytes, LockWord);
        scene.Spinning(A, LockWord, "LdrShutdownProcess", processorSeconds: 90);
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(scene.Process).Verdicts);
        Assert.Equal("DUMP2002", verdict.DetectorId);
        Assert.DoesNotContain("deadlock", string.Concat(SyntheticAnalysis.Sentences(verdict)), StringComparison.Ordinal);
    }

    /// <summary>
    /// Nobody but the exiting thread is left, and it waits in DllMain for the end of a thread that the system has already ended: nobody holds that, and the
    /// wait is about to return.
    /// </summary>
    [Fact]
    public void Join_of_an_ended_thread_at_process_exit_is_no_deadlock()
    {
        LoaderScene scene = new(loaderLockOwner: A, shutdownThread: A);
        scene.WaitingInDllMain(A, ThreadHandle, uint.MaxValue, "LdrShutdownProcess");
        scene.Process.Handles!.Add(FakeHandle.Thread(ThreadHandle, T));
        Assert.Empty(SyntheticAnalysis.Of(scene.Process).Verdicts);
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(scene.Process);
        Assert.Equal(new Resource(ResourceKind.Thread, T), Assert.Single(snapshot.Waits).Resource);
        Assert.DoesNotContain(snapshot.Ownerships, o => o.Resource.Kind == ResourceKind.Thread);
    }
}
