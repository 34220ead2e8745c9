using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>A thread that waits for callbacks of the thread pool under a lock, and callbacks that want that lock.</summary>
public sealed class PoolCallbackTests
{
    private const uint Owner = 0x20;
    private const uint Work = 0x5550_0040;
    private const uint OtherWork = 0x5550_0080;
    private const int WorkerFrame = 3;
    private const int Rsi = 6;

    /// <summary>
    /// The owner waits for the callbacks of an object; two pool workers run callbacks. ntdll's frame around them keeps an object's address: in a register, or, with
    /// a frame, among the words of that one.
    /// </summary>
    private static FakeProcess Process(uint waited, uint first, uint second, bool callbacksWait = true, bool isKnown = true, int? frame = null)
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage kernel32 = new(@"C:\Windows\System32\kernel32.dll", 0x7FF920000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        FakeFunction[] start = [kernel32.Function("BaseThreadInitThunk"), ntdll.Function("RtlUserThreadStart")];
        FakeFunction alert = ntdll.Stub("NtWaitForAlertByThreadId");
        FakeFunction drain = isKnown ? app.CallWith("drain", waited, 0) : app.Function("drain", exported: false);
        FakeFunction[] callback = callbacksWait
            ? [alert, ntdll.Function("RtlEnterCriticalSection"), app.Function("callback", exported: false)]
            : [ntdll.Stub("NtDelayExecution"), app.Function("inner", exported: false), app.Function("callback", exported: false)];
        FakeFunction worker = ntdll.Function("TppWorkerThread", exported: false);
        ulong section = FakeProcess.Section(app, 0x100, Owner, callbacksWait ? 2 : 0);
        FakeThread Worker(uint id, uint keeps) => new(id, [.. callback, worker, .. start], callbacksWait ? section + 8 : 0)
        {
            Nonvolatile = frame is null ? new Dictionary<int, ulong> { [Rsi] = keeps } : [],
            Locals = frame is { } at ? [(at, keeps)] : [],
        };
        return new FakeProcess
        {
            Images = { app, kernel32, ntdll },
            LoaderLock = FakeProcess.Section(ntdll, 0x200, 0, 0),
            Handles = [],
            MoreMemory = { [0x5550_0000] = new byte[0x1000] },
            Threads = { new FakeThread(Owner, [alert, ntdll.Function("TpWaitForWork"), drain, .. start], 0), Worker(0x24, first), Worker(0x28, second) },
        };
    }

    [Fact]
    public void Callbacks_of_the_waited_object_that_want_the_lock_are_a_deadlock()
    {
        AnalysisResult result = SyntheticAnalysis.Of(Process(Work, Work, Work));
        Verdict verdict = Assert.Single(result.Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
        Assert.Contains(verdict.Claims, c => c.Text.Contains("callbacks of the thread-pool object 0x55500040", StringComparison.Ordinal));
    }

    /// <summary>Callbacks of other objects, or of an object that is not known, leave the question open.</summary>
    [Theory]
    [InlineData(OtherWork, true)]
    [InlineData(Work, false)]
    public void Otherwise_it_cannot_be_decided(uint run, bool isKnown)
    {
        AnalysisResult result = SyntheticAnalysis.Of(Process(Work, run, run, isKnown: isKnown));
        Assert.Empty(result.Verdicts);
        Assert.True(result.IsUndecidable);
        Assert.Contains(result.OpenWaits, w => w.ThreadId == Owner && w.Resource?.Kind == ResourceKind.PoolCallbacks);
    }

    /// <summary>Only ntdll's frames around the callback keep the object: beyond them anything may have its address.</summary>
    [Fact]
    public void Address_outside_of_the_frames_around_the_callback_says_nothing()
    {
        AnalysisResult result = SyntheticAnalysis.Of(Process(Work, Work, Work, frame: WorkerFrame + 2));
        Assert.Empty(result.Verdicts);
        Assert.True(result.IsUndecidable);
    }

    /// <summary>What ran before is left in frames of ntdll: the callback at hand may be that of an object for which nobody waits.</summary>
    [Fact]
    public void Address_among_the_words_of_the_frames_alone_makes_no_deadlock() => Assert.All(
        SyntheticAnalysis.Of(Process(Work, Work, Work, frame: WorkerFrame)).Verdicts, v => Assert.Equal(Confidence.Suspected, v.Confidence));

    /// <summary>What ran before is left in frames of ntdll: of two objects that others wait for none is known to be the one whose callback runs.</summary>
    [Fact]
    public void Frames_that_keep_two_objects_make_no_deadlock()
    {
        FakeProcess process = Process(Work, Work, Work);
        FakeThread owner = process.Threads[0];
        process.Threads.Add(new FakeThread(0x2C, [owner.Frames[0], owner.Frames[1], process.Images[0].CallWith("drain_other", OtherWork, 0),
            .. owner.Frames.Skip(3)]));
        for (int i = 1; i <= 2; i++)
        {
            process.Threads[i] = process.Threads[i] with { Nonvolatile = new Dictionary<int, ulong> { [FakeThread.Rbx] = OtherWork, [Rsi] = Work } };
        }

        Assert.All(SyntheticAnalysis.Of(process).Verdicts, v => Assert.Equal(Confidence.Suspected, v.Confidence));
    }

    /// <summary>Who runs the callbacks is told once for an object, however many wait for it.</summary>
    [Fact]
    public void Many_waiters_and_many_runners_are_no_product()
    {
        FakeProcess process = Process(Work, Work, Work);
        FakeThread owner = process.Threads[0], worker = process.Threads[1];
        for (uint i = 0; i < 100; i++)
        {
            process.Threads.Add(owner with { Id = 0x100 + (8 * i) });
            process.Threads.Add(worker with { Id = 0x104 + (8 * i) });
        }

        Assert.Equal(64, SyntheticAnalysis.Read(process).Ownerships.Count(o => o.Resource.Kind == ResourceKind.PoolCallbacks));
    }

    [Fact]
    public void Callbacks_that_sleep_are_waited_for_and_nothing_more() =>
        Assert.Empty(SyntheticAnalysis.Of(Process(Work, Work, Work, callbacksWait: false)).Verdicts);
}
