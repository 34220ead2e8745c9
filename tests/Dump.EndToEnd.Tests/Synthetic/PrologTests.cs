using Dump.EndToEnd.Tests.Unwinding;
using Dump.EndToEnd.Tests.Verdicts;
using Dump.Model.Process;
using Dump.Testing.Synthetic;

namespace Dump.EndToEnd.Tests.Synthetic;

/// <summary>Frames of every kind of prolog that compilers write, walked by us as they were built, and by the debugger engine alike.</summary>
public sealed class PrologTests
{
    private const uint A = 0x20;

    private static readonly Dictionary<string, FakeProlog> s_prologs = new()
    {
        ["frame register"] = FakeProlog.FrameRegister,
        ["large"] = FakeProlog.Large,
        ["very large"] = FakeProlog.VeryLarge,
        ["saved by move"] = FakeProlog.SavedByMove,
        ["chained"] = FakeProlog.Chained,
        ["indirect"] = FakeProlog.Indirect,
        ["frame register and moves"] = FakeProlog.FrameRegisterAndMoves,
        ["other frame register"] = FakeProlog.OtherFrameRegister,
    };

    // What the frame-register prolog has done behind each of its instructions: push rbp; push rbx; sub rsp, 30h; lea rbp, [rsp+20h]; sub rsp, 100h.
    private static readonly (int Offset, FakeProlog Done)[] s_steps =
    [
        (0, new([], [], 0)),
        (1, new([], [], 8) { Saved = [(5, 0)] }),
        (2, new([], [], 0x10) { Saved = [(3, 0), (5, 8)] }),
        (6, new([], [], 0x40) { Saved = [(3, 0x30), (5, 0x38)] }),
        (11, new([], [], 0x40) { Saved = [(3, 0x30), (5, 0x38)], FrameRegisterField = 0x25 }),
        (18, FakeProlog.FrameRegister),
    ];

    public static TheoryData<string> Kinds => [.. s_prologs.Keys];

    /// <summary>Functions of all kinds, two of which find their frame by rbp, with others between them that save it in their own ways.</summary>
    public static TheoryData<string> Mixtures =>
    [
        "frame register, frame register, plain",
        "frame register, saved by move, frame register",
        "frame register, chained, frame register, large",
        "frame register and moves, other frame register, frame register and moves, frame register, other frame register",
        "chained, very large, frame register, saved by move, large, plain, frame register, chained",
    ];

    [Theory]
    [MemberData(nameof(Kinds))]
    [MemberData(nameof(Mixtures))]
    public void Stack_is_walked_as_it_was_built(string kinds)
    {
        FakeProcess process = Process(kinds);
        ThreadSnapshot thread = Assert.Single(SyntheticAnalysis.Read(process).Threads);
        Assert.Equal(process.Threads[0].Frames.Select(f => f.Address), thread.Stack.Frames.Select(f => f.InstructionPointer));
        Assert.All(thread.Stack.Frames.Skip(1), f => Assert.Equal(FrameTrust.UnwindInfo, f.Trust));
    }

    [SkippableTheory]
    [MemberData(nameof(Kinds))]
    [MemberData(nameof(Mixtures))]
    public void Debugger_walks_the_same_stack(string kinds) => Compare(Process(kinds));

    [Theory]
    [MemberData(nameof(Steps))]
    public void Thread_stopped_inside_a_prolog_is_walked_by_what_the_prolog_has_done(int step)
    {
        FakeProcess process = Stopped(step);
        ThreadSnapshot thread = Assert.Single(SyntheticAnalysis.Read(process).Threads);
        Assert.Equal(process.Threads[0].Frames.Select(f => f.Address), thread.Stack.Frames.Select(f => f.InstructionPointer));
    }

    [SkippableTheory]
    [MemberData(nameof(Steps))]
    public void Debugger_walks_a_thread_stopped_inside_a_prolog_alike(int step) => Compare(Stopped(step));

    public static TheoryData<int> Steps => [.. Enumerable.Range(0, s_steps.Length)];

    private static FakeProcess Process(string kinds)
    {
        FakeProcess process = Empty(out FakeImage app, out FakeImage ntdll);
        FakeFunction[] functions =
        [
            .. kinds.Split(", ").Select((kind, i) => kind == "plain" ? app.Function($"f{i}", exported: false) : app.Function($"f{i}", s_prologs[kind])),
        ];
        process.Threads.Add(new FakeThread(A, [ntdll.Stub("NtDelayExecution"), .. functions, ntdll.Function("RtlUserThreadStart")]));
        return process;
    }

    /// <summary>A thread whose innermost function has run its prolog up to an instruction; its callers find their frames by rbp.</summary>
    private static FakeProcess Stopped(int step)
    {
        FakeProcess process = Empty(out FakeImage app, out FakeImage ntdll);
        FakeFunction innermost = app.Function("innermost", FakeProlog.FrameRegister) with { ReturnOffset = s_steps[step].Offset, Prolog = s_steps[step].Done };
        FakeFunction caller = app.Function("caller", FakeProlog.FrameRegister);
        process.Threads.Add(new FakeThread(A, [innermost, caller, caller, ntdll.Function("RtlUserThreadStart")]));
        return process;
    }

    private static FakeProcess Empty(out FakeImage app, out FakeImage ntdll)
    {
        app = new(@"C:\app\app.exe", 0x140000000);
        ntdll = new(@"C:\Windows\System32\ntdll.dll", 0x7FF930000000);
        return new FakeProcess { Images = { app, ntdll }, LoaderLock = FakeProcess.Section(ntdll, 0x200, 0, 0) };
    }

    /// <summary>Stack pointer and return address of every frame.</summary>
    private static void Compare(FakeProcess process)
    {
        using SyntheticFile file = new(process);
        List<(ulong StackPointer, ulong ReturnAddress)> theirs = DebuggerStacks.Parse(file.Debugger("~*kn 100"))[A];
        StackFrame[] ours = [.. SyntheticAnalysis.Read(process).Threads[0].Stack.Frames];
        Assert.Equal(process.Threads[0].Frames.Count, theirs.Count);
        Assert.Equal(theirs, ours.Select((f, i) => (f.StackPointer, i + 1 < ours.Length ? ours[i + 1].InstructionPointer : 0UL)));
    }
}
