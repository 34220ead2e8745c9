using System.Buffers.Binary;
using Dump.Analysis;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Readers.Minidump;
using Dump.Readers.Windows;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>
/// Waits by native functions, which a program or a hook inside the system's libraries calls itself. Their arguments stand in another order than those of Win32:
/// NtWaitForSingleObject(handle, alertable, limit*), NtWaitForMultipleObjects(count, handles*, 1 for any, alertable, limit*),
/// NtSignalAndWaitForSingleObject(signal, wait, alertable, limit*).
/// </summary>
public sealed class NativeWaitTests
{
    private const uint A = 0x20;
    private const uint B = 0x24;
    private const uint Limit = 0;
    private const uint Handles = 0x20;

    private static readonly FakeHandle[] s_handles = [FakeHandle.Mutex(0x50, 0, false, B), FakeHandle.Mutex(0x54, -1, false, A),
        FakeHandle.Event(0x44, true, false)];

    /// <summary>A waits by a native function with four arguments; B waits without limit, by Win32, for the mutex that A holds.</summary>
    private static ProcessSnapshot Read(string function, uint first, uint second, uint third, uint fourth, long limit = 0)
    {
        FakeImage data = new(@"C:\app\data.dll", 0x20000000);
        BinaryPrimitives.WriteInt64LittleEndian(data.DataBytes.AsSpan((int)Limit), limit);
        BinaryPrimitives.WriteUInt64LittleEndian(data.DataBytes.AsSpan((int)Handles), 0x50);
        BinaryPrimitives.WriteUInt64LittleEndian(data.DataBytes.AsSpan((int)Handles + 8), 0x44);
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage kernelBase = new(@"C:\Windows\System32\KERNELBASE.dll", 0x7FF910000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        FakeFunction end = ntdll.Function("RtlUserThreadStart");
        FakeProcess process = new()
        {
            Images = { data, app, kernelBase, ntdll },
            LoaderLock = FakeProcess.Section(ntdll, 0x200, 0, 0),
            Handles = [.. s_handles],
            Threads =
            {
                new FakeThread(A, [ntdll.Stub(function), app.CallWith("native", first, second, third, fourth), end], 0x50),
                new FakeThread(B, [ntdll.Stub("NtWaitForSingleObject"), kernelBase.Function("WaitForSingleObjectEx"),
                    app.CallWith("win32", 0x54, uint.MaxValue), end], 0x54),
            },
        };
        return SyntheticAnalysis.Read(process);
    }

    private static uint At(uint offset) => (uint)new FakeImage("", 0x20000000).Data + offset;

    private static WaitFact[] WaitsOfA(ProcessSnapshot snapshot) => [.. snapshot.Waits.Where(w => w.ThreadId == A)];

    private static string? Verdict(ProcessSnapshot snapshot) => HangAnalysis.Run(snapshot).Verdicts.SingleOrDefault()?.DetectorId;

    [Theory]
    [InlineData(0, WaitTimeout.Infinite, null, "DUMP1002")]
    [InlineData(1, WaitTimeout.Infinite, null, "DUMP1002")]
    public void Alertable_is_no_time_limit(uint alertable, WaitTimeout expected, int? milliseconds, string verdict)
    {
        ProcessSnapshot snapshot = Read("NtWaitForSingleObject", 0x50, alertable, 0, 0);
        WaitFact wait = Assert.Single(WaitsOfA(snapshot));
        Assert.Equal((expected, (long?)milliseconds), (wait.Timeout, wait.Milliseconds));
        Assert.Equal(verdict, Verdict(snapshot));
    }

    [Theory]
    [InlineData(-50_000_000, WaitTimeout.Finite, 5_000L)]
    [InlineData(132_000_000_000_000_000, WaitTimeout.Finite, null)]
    [InlineData(long.MinValue, WaitTimeout.Infinite, null)]
    public void Native_limit_is_read_where_it_points_to(long limit, WaitTimeout expected, long? milliseconds)
    {
        ProcessSnapshot snapshot = Read("NtWaitForSingleObject", 0x50, 0, At(Limit), 0, limit);
        WaitFact wait = Assert.Single(WaitsOfA(snapshot));
        Assert.Equal((expected, milliseconds), (wait.Timeout, wait.Milliseconds));
        Assert.Equal(expected == WaitTimeout.Infinite ? "DUMP1002" : null, Verdict(snapshot));
    }

    [Fact]
    public void Native_limit_at_an_unreadable_address_is_unknown() =>
        Assert.Equal(WaitTimeout.Unknown, Assert.Single(WaitsOfA(Read("NtWaitForSingleObject", 0x50, 0, 0x666000, 0))).Timeout);

    [Theory]
    [InlineData(0u, false)]
    [InlineData(1u, true)]
    public void Native_wait_type_zero_is_all(uint type, bool any)
    {
        WaitFact[] waits = WaitsOfA(Read("NtWaitForMultipleObjects", 2, At(Handles), type, 0));
        Assert.Equal([(ResourceKind.Mutex, 0x50ul), (ResourceKind.Event, 0x44ul)], waits.Select(w => (w.Resource.Kind, w.Resource.Identity)));

        // The fifth argument, the pointer to the limit, is null on these stacks.
        Assert.All(waits, w => Assert.Equal((any, WaitTimeout.Infinite), (w.IsWaitAny, w.Timeout)));
    }

    [Fact]
    public void Signal_and_wait_waits_for_its_second_handle()
    {
        ProcessSnapshot snapshot = Read("NtSignalAndWaitForSingleObject", 0x44, 0x50, 0, 0);
        WaitFact wait = Assert.Single(WaitsOfA(snapshot));
        Assert.Equal((ResourceKind.Mutex, 0x50ul, WaitTimeout.Infinite), (wait.Resource.Kind, wait.Resource.Identity, wait.Timeout));
        Assert.Equal("DUMP1002", Verdict(snapshot));
    }

    [Fact]
    public void Handles_of_32_bits_are_a_wait_for_something_unknown()
    {
        WaitFact wait = Assert.Single(WaitsOfA(Read("NtWaitForMultipleObjects32", 2, At(Handles), 1, 0)));
        Assert.Equal((ResourceKind.KernelObject, 0ul, WaitTimeout.Unknown), (wait.Resource.Kind, wait.Resource.Identity, wait.Timeout));
    }

    /// <summary>
    /// The wait function has no unwind information, so that its caller is a guess: what stands in that one's code need not be what was called.
    /// </summary>
    [Fact]
    public void Limit_in_the_code_of_a_guessed_caller_is_unknown()
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage kernelBase = new(@"C:\Windows\System32\KERNELBASE.dll", 0x7FF910000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        FakeFunction[] frames = [ntdll.Stub("NtWaitForSingleObject"), kernelBase.Stub("WaitForSingleObjectEx"), app.CallWith("win32", 0x50, uint.MaxValue),
            ntdll.Function("RtlUserThreadStart")];
        FakeProcess process = new() { Images = { app, kernelBase, ntdll }, Handles = [.. s_handles], Threads = { new FakeThread(A, frames, 0x50) } };
        using MinidumpFile dump = MinidumpFile.FromBytes(process.ToMinidump());
        ProcessSnapshot snapshot = WindowsSnapshotReader.Read(dump, "synthetic");
        Assert.Equal(FrameTrust.Scan, snapshot.Threads[0].Stack.Frames[2].Trust);
        WaitFact wait = Assert.Single(snapshot.Waits);
        Assert.Equal((0x50ul, WaitTimeout.Unknown), (wait.Resource.Identity, wait.Timeout));
    }

    /// <summary>
    /// Nothing on the stack says what a wait by address is for. Where a handle stream is missing, too, that must not look like a sound process.
    /// </summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Wait_by_address_for_something_unknown_leaves_the_question_open(bool hasHandles)
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        FakeFunction[] frames = [ntdll.Stub("NtWaitForAlertByThreadId"), ntdll.Function("RtlpHidden", exported: false), app.Function("work", exported: false),
            ntdll.Function("RtlUserThreadStart")];
        FakeProcess process = new()
        {
            Images = { app, ntdll },
            LoaderLock = FakeProcess.Section(ntdll, 0x200, 0, 0),
            Handles = hasHandles ? [.. s_handles] : null,
            Threads = { new FakeThread(A, frames) },
        };
        Assert.True(SyntheticAnalysis.IsUndecidable(SyntheticAnalysis.Of(process)));
    }

    /// <summary>No real ARM64 dump has shown that X0 keeps the handle.</summary>
    [Fact]
    public void File_in_X0_of_ARM64_is_no_more_than_likely()
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000) { IsArm64 = true };
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000) { IsArm64 = true };
        FakeFunction[] frames = [ntdll.Stub("NtReadFile"), app.Function("work", exported: false), ntdll.Function("RtlUserThreadStart")];
        FakeProcess process = new() { IsArm64 = true, Images = { app, ntdll }, Handles = [new FakeHandle(0x58, "File")], Threads =
            { new FakeThread(A, frames, 0x58) } };
        WaitFact wait = Assert.Single(SyntheticAnalysis.Read(process).Waits);
        Assert.Equal((ResourceKind.InputOutput, 0x58ul, Grade.Derived), (wait.Resource.Kind, wait.Resource.Identity, wait.Grade));
    }

    [Fact]
    public void Sleep_for_no_time_yields_and_waits_for_nothing()
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage kernelBase = new(@"C:\Windows\System32\KERNELBASE.dll", 0x7FF910000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        FakeFunction[] frames = [ntdll.Stub("NtDelayExecution"), kernelBase.Function("SleepEx"), app.CallWith("nap", 0, 0),
            ntdll.Function("RtlUserThreadStart")];
        ProcessSnapshot snapshot = SyntheticAnalysis.Read(new FakeProcess { Images = { app, kernelBase, ntdll }, Threads = { new FakeThread(A, frames) } });
        Assert.Empty(snapshot.Waits);
        Assert.Equal(ThreadActivityKind.Yielding, Assert.Single(snapshot.Threads).Activity.Kind);
    }

    [Theory]
    [InlineData(uint.MaxValue, WaitTimeout.Infinite, null)]
    [InlineData(250u, WaitTimeout.Finite, 250L)]
    public void Sleep_without_end_has_no_limit(uint argument, WaitTimeout expected, long? milliseconds)
    {
        FakeImage app = new(@"C:\app\app.exe", 0x140000000);
        FakeImage kernelBase = new(@"C:\Windows\System32\KERNELBASE.dll", 0x7FF910000000);
        FakeImage ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        FakeFunction[] frames = [ntdll.Stub("NtDelayExecution"), kernelBase.Function("SleepEx"), app.CallWith("nap", argument, 0),
            ntdll.Function("RtlUserThreadStart")];
        WaitFact wait = Assert.Single(SyntheticAnalysis.Read(new FakeProcess { Images = { app, kernelBase, ntdll }, Threads = { new FakeThread(A, frames) } })
            .Waits);
        Assert.Equal((ResourceKind.Time, expected, milliseconds), (wait.Resource.Kind, wait.Timeout, wait.Milliseconds));
    }
}
