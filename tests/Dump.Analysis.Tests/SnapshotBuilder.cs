using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Analysis.Tests;

/// <summary>Builds snapshots by hand: threads with named frames, waits and ownerships.</summary>
internal sealed class SnapshotBuilder
{
    private static readonly ImmutableArray<Evidence> s_evidence = [new Evidence(EvidenceSource.Memory, "by hand")];
    private readonly List<ThreadSnapshot> _threads = [];
    private readonly List<WaitFact> _waits = [];
    private readonly List<OwnershipFact> _ownerships = [];

    public DataAvailability Available { get; set; } = DataAvailability.All;

    public LoaderState Loader { get; set; } = LoaderState.Unknown;

    public string? Comment { get; set; }

    public static Resource Section(ulong address) => new(ResourceKind.CriticalSection, address);

    public static Resource LoaderLock { get; } = new(ResourceKind.LoaderLock, 0x7000);

    public SnapshotBuilder Thread(
        uint id, ThreadActivityKind activity = ThreadActivityKind.Waiting, string[]? frames = null, ThreadTimes? times = null,
        bool? isLoadOwner = null, SpinWord[]? words = null, FrameTrust trust = FrameTrust.UnwindInfo,
        StackEnd end = StackEnd.Complete)
    {
        ulong stackPointer = 0x1000;
        _threads.Add(new ThreadSnapshot
        {
            Id = id,
            Index = _threads.Count,
            Activity = new ThreadActivity(activity, null, s_evidence) with { SystemCall = activity == ThreadActivityKind.SystemCall ? "NtTest" : null },
            Times = times,
            IsLoadOwner = isLoadOwner,
            SpinWords = [.. words ?? []],
            Stack = new ThreadStack([.. (frames ?? ["app!main"]).Select(f => Frame(f, stackPointer += 8, trust))], end),
        });
        return this;
    }

    /// <summary>Changes the thread that was added last.</summary>
    public SnapshotBuilder With(Func<ThreadSnapshot, ThreadSnapshot> change)
    {
        _threads[^1] = change(_threads[^1]);
        return this;
    }

    /// <summary>All threads that were added, changed.</summary>
    public SnapshotBuilder WithEach(Func<ThreadSnapshot, ThreadSnapshot> change)
    {
        for (int i = 0; i < _threads.Count; i++)
        {
            _threads[i] = change(_threads[i]);
        }

        return this;
    }

    /// <summary>The loop of the thread that was added last is handling a message, which its outermost call of user32 dispatched.</summary>
    public SnapshotBuilder Handling(ulong window, uint message = 0x113) => With(t => t with
    {
        Messages = [new DispatchedMessage(t.Stack.Frames.ToList().FindLastIndex(f => f.ModuleStem == "user32") + 1, window, message, Grade.Derived,
            s_evidence)],
    });

    public SnapshotBuilder Wait(
        uint thread, Resource resource, WaitTimeout timeout = WaitTimeout.Infinite, Grade grade = Grade.Proven, bool any = false, long? milliseconds = null)
    {
        _waits.Add(new WaitFact(thread, resource, timeout, grade, s_evidence, milliseconds, any));
        return this;
    }

    /// <summary>Changes the wait that was added last.</summary>
    public SnapshotBuilder WithWait(Func<WaitFact, WaitFact> change)
    {
        _waits[^1] = change(_waits[^1]);
        return this;
    }

    public SnapshotBuilder Own(Resource resource, uint thread, bool? alive = true, Grade grade = Grade.Proven, uint? contentions = null)
    {
        _ownerships.Add(new OwnershipFact(resource, thread, alive, 1, grade, s_evidence) { Contentions = contentions });
        return this;
    }

    public ProcessSnapshot Build(bool reversed = false) => new()
    {
        Source = new SourceDescription("test", "by hand", 1, null, Comment),
        System = new SystemDescription(ProcessorArchitecture.X64, 10, 0, 19045, 4, false, "Windows 10.0.19045 x64"),
        ProcessName = "app.exe",
        Threads = reversed ? [.. Enumerable.Reverse(_threads)] : [.. _threads],
        Waits = reversed ? [.. Enumerable.Reverse(_waits)] : [.. _waits],
        Ownerships = reversed ? [.. Enumerable.Reverse(_ownerships)] : [.. _ownerships],
        Modules =
        [
            new ModuleSnapshot("ntdll.dll", @"C:\Windows\System32\ntdll.dll", 0x7FF0_0000, 0x10_0000, 1, null, true),
            new ModuleSnapshot("kernelbase.dll", @"C:\Windows\System32\kernelbase.dll", 0x7FE0_0000, 0x10_0000, 1, null, true),
        ],
        Loader = Loader,
        Available = Available,
    };

    /// <summary>A frame from <c>module!function</c>, or <c>module</c> alone for one without a name.</summary>
    private static StackFrame Frame(string text, ulong stackPointer, FrameTrust trust)
    {
        string[] parts = text.Split('!', 2);
        string module = parts[0] + (parts[0] == "app" ? ".exe" : parts[0].EndsWith(".dll", StringComparison.Ordinal) ? "" : ".dll");
        string? function = parts.Length > 1 ? parts[1] : null;
        return new StackFrame(0x4000_0000, stackPointer, module, 0x100, function, function is null ? null : 0x10UL, trust, function is null ? SymbolSource.None
            : SymbolSource.Export)
        {
            FunctionStart = 0x3FFF_FFF0,
        };
    }
}
