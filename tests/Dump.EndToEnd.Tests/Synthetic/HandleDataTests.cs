using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Facts;
using Dump.Model.Verdicts;
using Dump.Readers.Minidump;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>HandleData in both of its forms: what we read, what the debugger engine reads, and what verdicts rest on it.</summary>
public sealed class HandleDataTests
{
    private const uint A = 0x20;
    private const uint B = 0x24;

    private static readonly FakeHandle[] s_handles =
    [
        FakeHandle.Event(0x44, manualReset: true, signaled: true),
        FakeHandle.Event(0x48, manualReset: false, signaled: false) with { Name = @"\BaseNamedObjects\ready" },
        FakeHandle.Mutex(0x50, count: 0, isAbandoned: false, owner: B),
        FakeHandle.Mutex(0x54, count: 1, isAbandoned: false, owner: 0),
        FakeHandle.Mutex(0x58, count: 1, isAbandoned: true, owner: 0),
        FakeHandle.Thread(0x5C, B),
        new(0x60, "Key"),
    ];

    /// <summary>A waits for the handle 0x50 and B for 0x54.</summary>
    private static FakeProcess Process(bool shortHandles, params FakeHandle[] handles)
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage kernelBase = new(@"C:\Windows\System32\KERNELBASE.dll", 0x7FF910000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        FakeFunction[] outer = [kernelBase.Function("WaitForSingleObjectEx"), app.CallWith("first", 0x50, uint.MaxValue), ntdll.Function("RtlUserThreadStart")];
        FakeFunction[] other = [outer[0], app.CallWith("second", 0x54, uint.MaxValue), outer[2]];
        FakeFunction stub = ntdll.Stub("NtWaitForSingleObject");
        return new FakeProcess
        {
            Images = { app, kernelBase, ntdll },
            LoaderLock = FakeProcess.Section(ntdll, 0x200, 0, 0),
            Handles = [.. handles],
            HasShortHandles = shortHandles,
            Threads = { new FakeThread(A, [stub, .. outer], 0x50), new FakeThread(B, [stub, .. other], 0x54) },
        };
    }

    [Fact]
    public void Object_information_is_read_from_descriptors_of_40_bytes()
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(Process(false, s_handles).ToMinidump());
        Assert.Empty(dump.Problems);
        Dictionary<ulong, MinidumpHandle> handles = dump.Handles!.ToDictionary(h => h.Value);
        Assert.Equal(s_handles.Length, handles.Count);
        Assert.Equal((true, true), (handles[0x44].EventIsManualReset, handles[0x44].EventIsSignaled));
        Assert.Equal((false, false), (handles[0x48].EventIsManualReset, handles[0x48].EventIsSignaled));
        Assert.Equal((null, @"\BaseNamedObjects\ready"), (handles[0x44].ObjectName, handles[0x48].ObjectName));
        Assert.Equal((0, false, B), (handles[0x50].MutexCount, handles[0x50].MutexIsAbandoned, handles[0x50].MutexOwnerThreadId));
        Assert.Equal((1, false, null), (handles[0x54].MutexCount, handles[0x54].MutexIsAbandoned, handles[0x54].MutexOwnerThreadId));
        Assert.Equal((1, true, null), (handles[0x58].MutexCount, handles[0x58].MutexIsAbandoned, handles[0x58].MutexOwnerThreadId));
        Assert.Equal(B, handles[0x5C].ThreadId);
        Assert.Equal(("Key", 0), (handles[0x60].TypeName, handles[0x60].Information.Count));
        Assert.All(handles.Values, h => Assert.Equal((0x1F0003u, 1u, 2u), (h.GrantedAccess, h.HandleCount, h.PointerCount)));
    }

    [Fact]
    public void Descriptors_of_32_bytes_have_types_and_names_and_nothing_else()
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(Process(true, s_handles).ToMinidump());
        Assert.Empty(dump.Problems);
        Assert.Equal(s_handles.Select(h => (h.Value, (string?)h.Type, h.Name)), dump.Handles!.Select(h => (h.Value, h.TypeName, h.ObjectName)));
        Assert.All(dump.Handles!, h => Assert.Empty(h.Information));
        Assert.All(dump.Handles!, h => Assert.Equal((0x1F0003u, 1u, 2u), (h.GrantedAccess, h.HandleCount, h.PointerCount)));
    }

    /// <summary>The engine's own list, line by line against ours: values, types, names, counts and the bytes of every record.</summary>
    [SkippableTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void Debugger_lists_the_same_handles(bool shortHandles)
    {
        using SyntheticFile file = new(Process(shortHandles, s_handles));
        string[] theirs = DebuggerHandles.Lines(file.Debugger("handles"));
        Assert.Equal(s_handles.Length, theirs.Length);
        using MinidumpFile dump = MinidumpFile.Open(file.FilePath);
        Assert.Equal(theirs, dump.Handles!.Select(DebuggerHandles.Line));
    }

    [Fact]
    public void Mutexes_with_recorded_owners_deadlock()
    {
        FakeHandle[] handles = [FakeHandle.Mutex(0x50, 0, false, B), FakeHandle.Mutex(0x54, -1, false, A)];
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(Process(false, handles)).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
    }

    [Fact]
    public void The_same_mutexes_without_object_information_leave_the_question_open()
    {
        FakeHandle[] handles = [FakeHandle.Mutex(0x50, 0, false, B), FakeHandle.Mutex(0x54, -1, false, A)];
        AnalysisResult result = SyntheticAnalysis.Of(Process(true, handles));
        Assert.True(SyntheticAnalysis.IsUndecidable(result));
        Assert.Contains(result.Outcomes.Single(o => o.DetectorId == "DUMP9001").Missing, m => m.What.Contains("owner of a mutex", StringComparison.Ordinal));
    }

    /// <summary>Whoever releases a mutex gives it to the next waiter, which stands in its call as the owner until it runs: no deadlock with itself.</summary>
    [Fact]
    public void Mutex_that_the_waiter_has_been_given_is_about_to_end_its_wait()
    {
        FakeProcess process = Process(false, FakeHandle.Mutex(0x50, 0, false, A), FakeHandle.Mutex(0x54, 0, false, A));
        Assert.Empty(SyntheticAnalysis.Of(process).Verdicts);
        Assert.Equal([(A, true), (B, false)], SyntheticAnalysis.Read(process).Waits.Select(w => (w.ThreadId, w.IsSatisfied)).Order());
    }

    /// <summary>An abandoned mutex is free: the wait is about to return, whatever owner the record still names.</summary>
    [Fact]
    public void Abandoned_mutex_has_no_owner()
    {
        FakeHandle[] handles = [FakeHandle.Mutex(0x50, 0, false, B), FakeHandle.Mutex(0x54, 1, true, A)];
        Assert.Empty(SyntheticAnalysis.Of(Process(false, handles)).Verdicts);
    }
}
