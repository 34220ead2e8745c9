using System.Buffers.Binary;
using Dump.Analysis;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using Dump.Testing.Synthetic;
using Dump.Testing.Synthetic.X86;

namespace Dump.EndToEnd.Tests.Synthetic.X86;

/// <summary>Window threads of 32-bit processes: messages, wake masks and windows stand among the arguments on the stack.</summary>
public sealed class X86WindowMessageTests
{
    private const uint Ui = 0x20;
    private const uint Worker = 0x24;
    private const uint Window = 0x1_0046;
    private const uint Event = 0x58;
    private const int Message = 0x20;
    private const int Handles = 0x60;
    private readonly FakeX86Image _app = new(@"C:\app\app.exe", 0x0040_0000);
    private readonly FakeX86Image _user32 = new(@"C:\Windows\SysWOW64\user32.dll", 0x7500_0000);
    private readonly FakeX86Image _win32u = new(@"C:\Windows\SysWOW64\win32u.dll", 0x7580_0000);
    private readonly FakeX86Image _kernelBase = new(@"C:\Windows\SysWOW64\KERNELBASE.dll", 0x7600_0000);
    private readonly FakeX86Image _ntdll = new(@"C:\Windows\SysWOW64\ntdll.dll", 0x7780_0000);
    private readonly FakeX86Process _process = new();
    private readonly FakeX86Function[] _dispatched;

    public X86WindowMessageTests()
    {
        _process.Images.AddRange([_app, _user32, _win32u, _kernelBase, _ntdll]);
        _process.LoaderLock = _ntdll.Section(0x200, 0, 0);
        _process.Handles.Add(FakeHandle.Event(Event, manualReset: true, signaled: false));
        _dispatched =
        [
            _user32.Function("UserCallWinProcCheckWow", exported: false, arguments: 4),
                _user32.Function("DispatchMessageWorker", exported: false, arguments: 2), _user32.Function("DispatchMessageW", arguments: 1),
            _app.Function("loop", exported: false), _ntdll.Function("RtlUserThreadStart", arguments: 2),
        ];
        Put(Message, Window);
        Put(Message + 4, 0x113);
        Put(Handles, Event);
    }

    private void Put(int offset, uint value) => BinaryPrimitives.WriteUInt32LittleEndian(_app.DataBytes.AsSpan(offset), value);

    /// <summary>A handler that waits for the event, in a loop whose MSG lies in the program's data.</summary>
    private void Handler()
    {
        FakeX86Function[] wait = [_ntdll.Stub("NtWaitForSingleObject", 3), _kernelBase.Function("WaitForSingleObjectEx", arguments: 3),
            _app.Function("handler", exported: false)];
        _process.Threads.Add(new FakeX86Thread(Ui, [.. wait, .. _dispatched], [Event, 0, 0]) { Passed = [(wait.Length + 2, 0, _app.Data + Message)] });
    }

    private ProcessSnapshot Read(bool isWow64) => SyntheticAnalysis.Read(isWow64 ? _process.ToWow64() : _process.ToX86());

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Message_of_the_loop_is_read_from_the_stack(bool isWow64)
    {
        Handler();
        ProcessSnapshot snapshot = Read(isWow64);
        DispatchedMessage message = Assert.Single(snapshot.Threads[0].Messages);
        Assert.Equal((6, Window, 0x113u, Grade.Derived), (message.FrameIndex, message.Window, message.Message, message.Grade));
        Assert.Equal(("DUMP4003", "WM_TIMER"), HangAnalysis.Run(snapshot).Verdicts.Select(v => (v.DetectorId, v.Culprit?.Message)).Single());
    }

    [Theory]
    [InlineData(Message, 0u)]
    [InlineData(Message + 4, 0x1_0000u)]
    public void Memory_that_is_no_message_is_none(int offset, uint value)
    {
        Put(offset, value);
        Handler();
        Assert.Empty(Read(isWow64: false).Threads[0].Messages);
    }

    [Theory]
    [InlineData("MsgWaitForMultipleObjectsEx", 3, 0x40u, true)]
    [InlineData("MsgWaitForMultipleObjectsEx", 3, 0x4FFu, false)]
    [InlineData("MsgWaitForMultipleObjects", 4, 0x40u, true)]
    [InlineData("MsgWaitForMultipleObjects", 4, 0x4FFu, false)]
    public void Wake_mask_tells_a_wait_from_a_loop(string function, int maskIndex, uint mask, bool isBlocked)
    {
        FakeX86Function[] wait = [_win32u.Stub("NtUserMsgWaitForMultipleObjectsEx", 5), _user32.Function(function, arguments: 5),
            _app.Function("handler", exported: false)];
        int limitIndex = maskIndex - 1;
        _process.Threads.Add(new FakeX86Thread(Ui, [.. wait, .. _dispatched], [])
        {
            Passed = [(1, 0, 1), (1, 1, _app.Data + Handles), (1, limitIndex, uint.MaxValue), (1, maskIndex, mask), (wait.Length + 2, 0, _app.Data + Message)],
        });
        ProcessSnapshot snapshot = Read(isWow64: false);
        Assert.Equal(mask, snapshot.Threads[0].MessageWait?.WakeMask);
        Evidence[] read = [.. snapshot.Threads[0].MessageWait!.Evidence, .. snapshot.Waits.SelectMany(w => w.Evidence)];
        Assert.All(read, e => Assert.True(e is { Source: EvidenceSource.Memory, Address: not null }));
        Assert.Equal(isBlocked ? [new Resource(ResourceKind.Event, Event)] : [], snapshot.Waits.Select(w => w.Resource));
        Assert.All(snapshot.Waits, w => Assert.Equal((WaitTimeout.Infinite, Grade.Derived), (w.Timeout, w.Grade)));
        Assert.Equal(isBlocked ? "DUMP4003" : null, HangAnalysis.Run(snapshot).Verdicts.SingleOrDefault()?.DetectorId);
    }

    [Theory]
    [InlineData(0x240u)]
    [InlineData(0x1_0040u)]
    public void Stack_slot_that_is_no_wake_mask_proves_no_wait(uint mask)
    {
        FakeX86Function[] wait = [_win32u.Stub("NtUserMsgWaitForMultipleObjectsEx", 5), _user32.Function("MsgWaitForMultipleObjects", arguments: 5),
            _app.Function("handler", exported: false)];
        _process.Threads.Add(new FakeX86Thread(Ui, [.. wait, .. _dispatched], [])
        {
            Passed = [(1, 0, 1), (1, 1, _app.Data + Handles), (1, 3, uint.MaxValue), (1, 4, mask), (wait.Length + 2, 0, _app.Data + Message)],
        });
        ProcessSnapshot snapshot = Read(isWow64: false);
        Assert.Null(snapshot.Threads[0].MessageWait);
        Assert.Empty(HangAnalysis.Run(snapshot).Verdicts);
    }

    [Theory]
    [InlineData(0x10u, 0x10u, false)]
    [InlineData(0x8u, 0x8u, true)]
    [InlineData(0x7500_1012u, null, true)]
    public void Flags_of_a_wait_of_com_are_read_from_the_stack(uint passed, uint? expected, bool isBlocked)
    {
        FakeX86Image combase = new(@"C:\Windows\SysWOW64\combase.dll", 0x7680_0000);
        _process.Images.Add(combase);
        FakeX86Function[] wait =
        [
            _win32u.Stub("NtUserMsgWaitForMultipleObjectsEx", 5), _user32.Function("MsgWaitForMultipleObjectsEx", arguments: 5),
                combase.Function("inside", exported: false),
            combase.Function("CoWaitForMultipleHandles", arguments: 5), _app.Function("handler", exported: false),
        ];
        _process.Threads.Add(new FakeX86Thread(Ui, [.. wait, .. _dispatched], []) { Passed = [(3, 0, passed), (wait.Length + 2, 0, _app.Data + Message)] });
        ProcessSnapshot snapshot = Read(isWow64: false);
        Assert.Equal(expected, snapshot.Threads[0].ComWaitFlags);
        Assert.Equal(isBlocked ? "DUMP4003" : null, HangAnalysis.Run(snapshot).Verdicts.SingleOrDefault()?.DetectorId);
    }

    [Theory]
    [InlineData(Window, Window, Window)]
    [InlineData(0u, 0u, 0u)]
    [InlineData(0xFFFFu, 0xFFFFu, 0u)]
    [InlineData(Window + 2, Window, 0u)]
    [InlineData(Window, 0u, 0u)]
    public void Window_of_a_sent_message_is_the_first_argument_of_function_and_system_call(uint passed, uint argument, uint expected)
    {
        FakeX86Function[] send = [_win32u.Stub("NtUserMessageCall", 7), _user32.Function("SendMessageWorker", exported: false, arguments: 5),
            _user32.Function("SendMessageW", arguments: 4)];
        _process.Threads.Add(new FakeX86Thread(Worker, [.. send, .. _dispatched[^2..]], [argument]) { Passed = [(2, 0, passed)] });
        WaitFact wait = Assert.Single(Read(isWow64: false).Waits);
        Assert.Equal((ResourceKind.WindowMessage, (ulong)expected), (wait.Resource.Kind, wait.Resource.Identity));
        Assert.All(wait.Evidence.Where(e => e.Value is not null), e => Assert.True(e is { Source: EvidenceSource.Memory, Address: not null }));
    }
}
