using System.Buffers.Binary;
using Dump.Analysis;
using Dump.Analysis.UserInterface;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>
/// Window threads of x64 Windows 10 as they look without symbols: DispatchMessageW has gone on with a jump, so that no frame of user32 has a name (public
/// stack: libsdl-org/SDL #10529), but the loop calls it through its import table and gives it a MSG.
/// </summary>
public sealed class WindowMessageTests
{
    private const uint Ui = 0x20;
    private const uint Worker = 0x24;
    private const uint Window = 0x1_0046;
    private const int Import = 0;
    private const int Message = 0x20;
    private const int Handles = 0x60;
    private const uint Infinite = uint.MaxValue;
    private readonly FakeImage _app = new(@"C:\app\app.exe", 0x140000000);
    private readonly FakeImage _user32 = new(@"C:\Windows\System32\user32.dll", 0x7FF920000000);
    private readonly FakeImage _win32u = new(@"C:\Windows\System32\win32u.dll", 0x7FF918000000);
    private readonly FakeImage _kernelBase = new(@"C:\Windows\System32\KERNELBASE.dll", 0x7FF910000000);
    private readonly FakeImage _ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
    private readonly FakeFunction _dispatch, _worker, _callback, _loop, _end;

    public WindowMessageTests()
    {
        _dispatch = _user32.Function("DispatchMessageW");
        _worker = _user32.Function("DispatchMessageWorker", exported: false);
        _callback = _user32.Function("UserCallWinProcCheckWow", exported: false);
        _loop = _app.CallThrough("loop", Import, Message);
        _end = _ntdll.Function("RtlUserThreadStart");
        Put(Import, _dispatch.Start);
        Put(Message, Window);
        Put(Message + 8, 0x113);
        Put(Handles, 0x58);
    }

    private void Put(int offset, ulong value) => BinaryPrimitives.WriteUInt64LittleEndian(_app.DataBytes.AsSpan(offset), value);

    private FakeThread Handler(params FakeFunction[] innermost) => new(Ui, [.. innermost, _callback, _worker, _loop, _end]) { IsGui = true };

    private FakeFunction[] WaitFor(uint handle) => [_ntdll.Stub("NtWaitForSingleObject"), _kernelBase.Function("WaitForSingleObjectEx"),
        _app.CallWith("wait", handle, Infinite)];

    private FakeThread Sender(FakeFunction caller, ulong register = 0, string function = "SendMessageW") =>
        new(Worker, [_win32u.Stub("NtUserMessageCall"), _user32.Function("SendMessageWorker", exported: false), _user32.Function(function), caller, _end],
            register);

    private ProcessSnapshot Read(params FakeThread[] threads)
    {
        FakeProcess process = new()
        {
            Images = { _app, _user32, _win32u, _kernelBase, _ntdll },
            LoaderLock = FakeProcess.Section(_ntdll, 0x200, 0, 0),
            Handles = [FakeHandle.Event(0x58, true, false), FakeHandle.Thread(0x5C, Worker)],
        };
        threads.ToList().ForEach(process.Threads.Add);
        return SyntheticAnalysis.Read(process);
    }

    private static ThreadSnapshot Thread(ProcessSnapshot snapshot, uint id) => snapshot.Threads.Single(t => t.Id == id);

    [Fact]
    public void Call_through_the_import_table_proves_the_loop_and_names_the_message()
    {
        ProcessSnapshot snapshot = Read(Handler(WaitFor(0x58)) with { FirstArgument = 0x58 });
        Assert.Equal([null, "DispatchMessageW"], Thread(snapshot, Ui).Stack.Frames.Where(f => f.ModuleStem == "user32").Select(f => f.EnteredAs));
        DispatchedMessage message = Assert.Single(Thread(snapshot, Ui).Messages);
        Assert.Equal((5, Window, 0x113u, Grade.Derived), (message.FrameIndex, message.Window, message.Message, message.Grade));
        Verdict verdict = Assert.Single(HangAnalysis.Run(snapshot).Verdicts);
        Assert.Equal(("DUMP4003", Confidence.Confirmed, "WM_TIMER"), (verdict.DetectorId, verdict.Claims[0].Confidence, verdict.Culprit?.Message));
    }

    [Theory]
    [InlineData(4)]
    [InlineData(0x40)]
    [InlineData(-0x10_0000)]
    public void Call_that_leads_elsewhere_proves_nothing(int distance)
    {
        Put(Import, _dispatch.Start + (ulong)distance);
        ProcessSnapshot snapshot = Read(Handler(WaitFor(0x58)) with { FirstArgument = 0x58 });
        Assert.Empty(Thread(snapshot, Ui).Messages);
        Assert.Equal(Grade.Suspected, Assert.Single(UiThreads.Find(snapshot)).Grade);
    }

    [Theory]
    [InlineData(Message, 0UL)]
    [InlineData(Message, 0x1_0000_0046UL)]
    [InlineData(Message + 8, 0x1_0000UL)]
    public void Memory_that_is_no_message_is_none(int offset, ulong value)
    {
        Put(offset, value);
        Assert.Empty(Thread(Read(Handler(WaitFor(0x58)) with { FirstArgument = 0x58 }), Ui).Messages);
    }

    [Fact]
    public void Thread_that_never_called_the_window_manager_is_no_window_thread_for_certain()
    {
        FakeThread handler = Handler(WaitFor(0x58)) with { FirstArgument = 0x58, IsGui = false };
        ProcessSnapshot nobody = Read(handler), another = Read(handler, new FakeThread(Worker, [.. WaitFor(0x58), _end], 0x58) { IsGui = true });
        Assert.Equal((null, Grade.Proven), (Thread(nobody, Ui).IsGuiThread, Assert.Single(UiThreads.Find(nobody)).Grade));
        Assert.Equal((false, Grade.Suspected), (Thread(another, Ui).IsGuiThread, Assert.Single(UiThreads.Find(another)).Grade));
    }

    [Fact]
    public void Thread_that_sends_to_a_window_whose_thread_joins_it_is_a_deadlock()
    {
        ProcessSnapshot snapshot = Read(Handler(WaitFor(0x5C)) with { FirstArgument = 0x5C }, Sender(_app.CallWith("report", Window, 0x8001)));
        WaitFact wait = Assert.Single(snapshot.Waits, w => w.ThreadId == Worker);
        Assert.Equal((new Resource(ResourceKind.WindowMessage, Window), WaitTimeout.Infinite), (wait.Resource, wait.Timeout));
        Verdict verdict = Assert.Single(HangAnalysis.Run(snapshot).Verdicts);
        Assert.Equal(("DUMP1002", Confidence.Likely), (verdict.DetectorId, verdict.Confidence));
    }

    [Theory]
    [InlineData(Window, "SendMessageW", "DUMP1002")]
    [InlineData(Window, "SendMessageTimeoutW", "DUMP4003")]
    [InlineData(0x1_0048u, "SendMessageW", "DUMP4003")]
    [InlineData(0u, "SendMessageW", "DUMP4003")]
    [InlineData(0xFFFFu, "SendMessageW", "DUMP4003")]
    public void Window_stands_in_the_register_where_the_code_does_not_show_it(uint register, string function, string expected)
    {
        ProcessSnapshot snapshot = Read(Handler(WaitFor(0x5C)) with { FirstArgument = 0x5C }, Sender(_app.Function("report"), register, function));
        Resource expectedWindow = register is 0 or 0xFFFF ? new Resource(ResourceKind.WindowMessage, 0, Worker)
            : new Resource(ResourceKind.WindowMessage, register);
        Assert.Equal(expectedWindow, Assert.Single(snapshot.Waits, w => w.ThreadId == Worker).Resource);
        Assert.Equal(expected, Assert.Single(HangAnalysis.Run(snapshot).Verdicts).DetectorId);
    }

    [Fact]
    public void Default_handling_of_a_message_waits_for_no_window()
    {
        ProcessSnapshot snapshot = Read(Handler(WaitFor(0x5C)) with { FirstArgument = 0x5C },
            Sender(_app.CallWith("report", Window, 0x8001), function: "DefWindowProcW"));
        Assert.Equal(0UL, Assert.Single(snapshot.Waits, w => w.ThreadId == Worker).Resource.Identity);
    }

    [Theory]
    [InlineData(0x40u, true)]
    [InlineData(0x4FFu, false)]
    public void Wake_mask_on_the_stack_tells_a_wait_from_a_loop(uint mask, bool isBlocked)
    {
        FakeFunction caller = _app.CallWith("wait", 1, (uint)(_app.Data & uint.MaxValue) + Handles, 0, Infinite, mask);
        ProcessSnapshot snapshot = Read(Handler(_win32u.Stub("NtUserMsgWaitForMultipleObjectsEx"), _user32.Function("MsgWaitForMultipleObjects"), caller));
        Assert.Equal(mask, Thread(snapshot, Ui).MessageWait?.WakeMask);
        Assert.Equal(isBlocked ? "DUMP4003" : null, HangAnalysis.Run(snapshot).Verdicts.SingleOrDefault()?.DetectorId);
    }

    [Fact]
    public void Wake_mask_of_the_longer_function_is_its_fourth_argument()
    {
        FakeFunction caller = _app.CallWith("wait", 1, Handles, Infinite, 0x40);
        ProcessSnapshot snapshot = Read(Handler(_win32u.Stub("NtUserMsgWaitForMultipleObjectsEx"), _user32.Function("RealMsgWait", exported: false),
            _user32.Function("MsgWaitForMultipleObjectsEx"), caller));
        Assert.Equal(("MsgWaitForMultipleObjectsEx", 0x40u), (Thread(snapshot, Ui).MessageWait?.Function, Thread(snapshot, Ui).MessageWait?.WakeMask));
    }

    [Fact]
    public void Object_of_a_wait_that_no_input_ends_is_what_the_thread_waits_for()
    {
        // Constants are 32 bits wide, so the handles lie in an image below 4 GiB.
        FakeImage low = new(@"C:\app\low.dll", 0x20000000);
        BinaryPrimitives.WriteUInt64LittleEndian(low.DataBytes, 0x58);
        FakeFunction caller = _app.CallWith("wait", 1, (uint)low.Data, 0, Infinite, 0x40);
        FakeProcess process = new()
        {
            Images = { _app, low, _user32, _win32u, _ntdll },
            LoaderLock = FakeProcess.Section(_ntdll, 0x200, 0, 0),
            Handles = [FakeHandle.Event(0x58, true, false)],
            Threads = { Handler(_win32u.Stub("NtUserMsgWaitForMultipleObjectsEx"), _user32.Function("MsgWaitForMultipleObjects"), caller) },
        };
        WaitFact wait = Assert.Single(SyntheticAnalysis.Read(process).Waits);
        Assert.Equal((new Resource(ResourceKind.Event, 0x58), WaitTimeout.Infinite, Grade.Derived), (wait.Resource, wait.Timeout, wait.Grade));
    }
}
