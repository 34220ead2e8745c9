using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>RTL_RESOURCE of ntdll on minidumps made by hand: the record that has the semaphore which is waited for stores its writer.</summary>
public sealed class ReaderWriterResourceTests
{
    private const uint A = 0x20;
    private const uint B = 0x24;
    private const uint Gone = 0x9990;
    private const uint Other = 0x30;
    private const int First = 0x100;
    private const int Second = 0x180;
    private const ulong FirstSemaphore = 0x44;
    private const ulong SecondSemaphore = 0x48;
    private const ulong Readers = 0x4C;

    private readonly FakeImage _app = new(@"C:\app\app.exe", 0x140000000);
    private readonly FakeImage _ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
    private readonly FakeProcess _process;
    private readonly FakeFunction _start;

    public ReaderWriterResourceTests()
    {
        _start = _ntdll.Function("RtlUserThreadStart");
        _process = new FakeProcess
        {
            Images = { _app, _ntdll },
            LoaderLock = FakeProcess.Section(_ntdll, 0x200, 0, 0),
            Handles = [new FakeHandle(FirstSemaphore, "Semaphore"), new FakeHandle(SecondSemaphore, "Semaphore"), new FakeHandle(Readers, "Semaphore")],
        };
    }

    /// <summary>A record with one waiter for writing.</summary>
    private ulong Resource(int offset, ulong semaphore, int active, uint owner, uint waiters = 1)
    {
        new ByteWriter().PadTo(0x28).UInt64(Readers).UInt32(0).PadTo(0x38).UInt64(semaphore).UInt32(waiters).UInt32(active).UInt64(owner).ToArray()
            .CopyTo(_app.DataBytes, offset);
        return _app.Data + (ulong)offset;
    }

    private void Waiting(uint id, ulong resource, ulong semaphore, string function = "RtlAcquireResourceExclusive") => _process.Threads.Add(new FakeThread(
        id, [_ntdll.Stub("NtWaitForSingleObject"), _ntdll.Function(function), _app.Function("work", exported: false), _start], semaphore)
        {
            Nonvolatile = new Dictionary<int, ulong> { [FakeThread.Rbx] = resource },
        });

    private void Crossed(int active = -1, uint owner = B, ulong semaphore = SecondSemaphore, string function = "RtlAcquireResourceExclusive")
    {
        ulong first = Resource(First, FirstSemaphore, -1, A), second = Resource(Second, semaphore, active, owner);
        Waiting(A, second, SecondSemaphore, function);
        Waiting(B, first, FirstSemaphore);
    }

    [Fact]
    public void Crossed_resources_are_a_deadlock()
    {
        Crossed();
        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(_process).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Confirmed), (verdict.DetectorId, verdict.Confidence));
        Assert.Equal(
            [
                "2 threads wait for each other and none can go on, a deadlock: thread 0 (0x20), thread 1 (0x24).",
                "Thread 0 (0x20) waits for RTL_RESOURCE 0x140006180, held by thread 1 (0x24).",
                "Thread 1 (0x24) waits for RTL_RESOURCE 0x140006100, held by thread 0 (0x20).",
            ],
            SyntheticAnalysis.Sentences(verdict));
    }

    /// <summary>Readers are counted and not named; another semaphore, and another function, name no such lock.</summary>
    [Theory]
    [InlineData(1, 0u, SecondSemaphore, "RtlAcquireResourceExclusive", ResourceKind.ReaderWriterResource)]
    [InlineData(0, 0u, SecondSemaphore, "RtlAcquireResourceExclusive", ResourceKind.ReaderWriterResource)]
    [InlineData(-1, B, Readers, "RtlAcquireResourceExclusive", ResourceKind.ReaderWriterResource)]
    [InlineData(-1, B, SecondSemaphore, "RtlAcquireResourceShared", ResourceKind.ReaderWriterResource)]
    [InlineData(-1, B, SecondSemaphore, "RtlOther", ResourceKind.Semaphore)]
    public void Otherwise_no_deadlock_is_found(int active, uint owner, ulong semaphore, string function, ResourceKind kind)
    {
        Crossed(active, owner, semaphore, function);
        Assert.Empty(SyntheticAnalysis.Of(_process).Verdicts);
        Assert.Equal(kind, SyntheticAnalysis.Read(_process).Waits.Single(w => w.ThreadId == A).Resource.Kind);
    }

    /// <summary>The function counts before a handle that merely lies among the frames' values, as one of a file does here.</summary>
    [Fact]
    public void Function_is_believed_before_a_stray_handle()
    {
        const ulong File = 0x10;
        _process.Handles!.Add(new FakeHandle(File, "File"));
        _process.Version = (6, 1, 7601);
        ulong resource = Resource(First, FirstSemaphore, -1, Other);
        _process.Threads.Add(new FakeThread(
            A, [_ntdll.ShortStub("NtWaitForSingleObject"), _ntdll.Function("RtlAcquireResourceExclusive"), _app.Function("work", exported: false), _start], 0x7FF930001234)
        {
            Nonvolatile = new Dictionary<int, ulong> { [FakeThread.Rbx] = resource },
            Locals = [(1, File)],
        });
        Sleeping();
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(_process);
        Assert.Equal((new Resource(ResourceKind.ReaderWriterResource, resource), Grade.Derived), snapshot.Waits.Where(w => w.ThreadId == A).Select(w => (w.Resource, w.Grade)).Single());
        Assert.Equal(Other, snapshot.Ownerships.Single(o => o.Resource.Kind == ResourceKind.ReaderWriterResource).OwnerThreadId);
    }

    /// <summary>Any thread may release it: while another one goes on, that the writer has ended is no proof.</summary>
    [Theory]
    [InlineData(false, Confidence.Confirmed)]
    [InlineData(true, Confidence.Suspected)]
    public void Resource_of_a_thread_that_has_ended(bool othersGoOn, Confidence expected)
    {
        Waiting(A, Resource(First, FirstSemaphore, -1, Gone), FirstSemaphore);
        if (othersGoOn)
        {
            Sleeping();
        }

        Verdict verdict = Assert.Single(SyntheticAnalysis.Of(_process).Verdicts);
        Assert.Equal(("DUMP1003", expected), (verdict.DetectorId, verdict.Confidence));
    }

    private void Sleeping() =>
        _process.Threads.Add(new FakeThread(Other, [_ntdll.Stub("NtDelayExecution"), _app.Function("sleep", exported: false), _start]));
}
