using Dump.Analysis;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Model.Wording;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Readers.Windows.Locks;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Verdicts;

/// <summary>The locks of the process environment block and of the process heap are named where memory proves them, on minidumps made by hand.</summary>
public sealed class SystemLockTests
{
    private const uint A = 0x20;
    private const uint B = 0x24;
    private const int PebLockOffset = 0x200;
    private const int HeapLockOffset = 0x240;
    private const int HeapOffset = 0x400;

    private readonly FakeImage _ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);

    private ulong PebLock => _ntdll.Data + PebLockOffset;

    private ulong HeapLock => _ntdll.Data + HeapLockOffset;

    [Fact]
    public void A_cycle_through_both_names_both()
    {
        ProcessSnapshot snapshot = Read(Crossed());
        Verdict verdict = Assert.Single(HangAnalysis.Run(snapshot).Verdicts);
        Assert.Equal("DUMP1002", verdict.DetectorId);
        Assert.Equal(
            new[] { $"the PEB lock (critical section 0x{PebLock:x})", $"the process heap's lock (critical section 0x{HeapLock:x})" },
            verdict.Chain.Select(l => l.ResourceText).Order(StringComparer.Ordinal).ToArray());
    }

    [Fact]
    public void An_owner_is_known_even_when_nobody_waits()
    {
        FakeProcess process = Crossed();
        FakeProcess.Section(_ntdll, PebLockOffset, A, 0);
        process.Threads.RemoveAt(1);
        ProcessSnapshot snapshot = Read(process);
        Assert.Contains(snapshot.Ownerships, o => o.Resource.Identity == PebLock && o.OwnerThreadId == A);
        Assert.Equal($"the PEB lock (critical section 0x{PebLock:x})", NameOf(snapshot, PebLock));
    }

    [Theory]
    [InlineData(0x10, 0xDDEEDDEEu)] // a segment heap
    [InlineData(0x28, 0x1000u)] // a segment of another heap
    [InlineData(0x98, 0u)] // no heap, or one of Wine
    public void What_does_not_know_itself_as_a_heap_names_no_lock(int offset, uint value)
    {
        FakeProcess process = Crossed();
        BitConverter.GetBytes(value).CopyTo(_ntdll.DataBytes, HeapOffset + offset);
        ProcessSnapshot snapshot = Read(process);
        Assert.Equal($"critical section 0x{HeapLock:x}", NameOf(snapshot, HeapLock));
        Assert.StartsWith("the PEB lock", NameOf(snapshot, PebLock), StringComparison.Ordinal);
        Assert.Equal("DUMP1002", Assert.Single(HangAnalysis.Run(snapshot).Verdicts).DetectorId);
    }

    /// <summary>A heap of its own, which the PEB lists behind the process heap.</summary>
    [Theory]
    [InlineData(0, true)]
    [InlineData(0x98, false)]
    public void The_lock_of_another_heap_is_named_with_the_heap(int damaged, bool isNamed)
    {
        const int Other = 0x800;
        FakeProcess process = Crossed();
        ulong heap = FakeProcess.Heap(_ntdll, Other, PebLock);
        process.FastPebLock = 0;
        process.Heaps.AddRange([process.ProcessHeap, heap]);
        if (damaged != 0)
        {
            _ntdll.DataBytes[Other + damaged] = 0;
        }

        ProcessSnapshot snapshot = Read(process);
        Assert.Equal($"{(isNamed ? $"the lock of heap 0x{heap:x} (" : "")}critical section 0x{PebLock:x}{(isNamed ? ")" : "")}", NameOf(snapshot, PebLock));
        Assert.StartsWith("the process heap's lock", NameOf(snapshot, HeapLock), StringComparison.Ordinal);
    }

    /// <summary>There signature and lock lie 8 bytes further on.</summary>
    [Fact]
    public void The_heap_of_Windows_7_is_known_too()
    {
        FakeProcess process = Crossed();
        process.ProcessHeap = FakeProcess.Heap(_ntdll, 0x800, HeapLock, isWindows7: true);
        Assert.Equal($"the process heap's lock (critical section 0x{HeapLock:x})", NameOf(Read(process), HeapLock));
    }

    [Fact]
    public void A_lock_whose_fields_contradict_each_other_is_not_named()
    {
        FakeProcess process = Crossed();
        const int RecursionCount = 0xC;
        BitConverter.GetBytes(0).CopyTo(_ntdll.DataBytes, PebLockOffset + RecursionCount);
        Assert.Equal($"critical section 0x{PebLock:x}", NameOf(Read(process), PebLock));
    }

    [Fact]
    public void Another_critical_section_keeps_its_address_only() =>
        Assert.Equal($"critical section 0x{PebLock + 8:x}", NameOf(Read(Crossed()), PebLock + 8));

    [Theory]
    [InlineData(0UL)]
    [InlineData(0x6666_0000UL)]
    [InlineData(ulong.MaxValue)]
    public void Without_readable_heap_and_lock_addresses_nothing_is_named(ulong address)
    {
        FakeProcess process = Crossed();
        process.ProcessHeap = process.FastPebLock = address;
        ProcessSnapshot snapshot = Read(process);
        Assert.Empty(snapshot.SystemLocks);
        Assert.Equal("DUMP1002", Assert.Single(HangAnalysis.Run(snapshot).Verdicts).DetectorId);
    }

    private static ProcessSnapshot Read(FakeProcess process)
    {
        using MinidumpFile dump = MinidumpFile.FromBytes(process.ToMinidump());
        return WindowsSnapshotReader.Read(dump, "synthetic");
    }

    private static string NameOf(ProcessSnapshot snapshot, ulong address) =>
        new Naming(snapshot).Resource(new Resource(ResourceKind.CriticalSection, address));

    /// <summary>A holds the PEB lock and wants the heap's; B the other way round.</summary>
    private FakeProcess Crossed()
    {
        const int LockCountOffset = 8;
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeFunction work = app.Function("work", exported: false);
        FakeFunction[] waiting =
        [
            _ntdll.Stub("NtWaitForAlertByThreadId"), _ntdll.Function("RtlpWaitOnCriticalSection", exported: false),
            _ntdll.Function("RtlEnterCriticalSection"), work, _ntdll.Function("RtlUserThreadStart"),
        ];
        FakeProcess.Section(_ntdll, PebLockOffset, A, 1);
        FakeProcess.Section(_ntdll, HeapLockOffset, B, 1);
        return new FakeProcess
        {
            Images = { app, _ntdll },
            LoaderLock = FakeProcess.Section(_ntdll, 0x280, 0, 0),
            FastPebLock = PebLock,
            ProcessHeap = FakeProcess.Heap(_ntdll, HeapOffset, HeapLock),
            Handles = [],
            Threads = { new FakeThread(A, waiting, HeapLock + LockCountOffset), new FakeThread(B, waiting, PebLock + LockCountOffset) },
        };
    }
}
