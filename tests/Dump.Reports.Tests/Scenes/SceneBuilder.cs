using System.Collections.Immutable;
using System.Globalization;
using Dump.Analysis;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Reports.Tests.Scenes;

/// <summary>Builds snapshots as a reader would, for outcomes that no fixture shows.</summary>
internal sealed class SceneBuilder
{
    private const ulong FirstStack = 0xA5_0000_F000;
    private readonly List<ThreadSnapshot> _threads = [];
    private readonly List<WaitFact> _waits = [];
    private readonly List<OwnershipFact> _ownerships = [];
    private readonly Dictionary<Resource, string> _names = [];

    public DataAvailability Available { get; init; } = DataAvailability.All;

    public LoaderState Loader { get; init; } = new(0x7FFD_1C5A_84E8, false, false, null, true);

    public SystemDescription System { get; init; } = new(ProcessorArchitecture.X64, 10, 0, 19045, 8, false, "Windows 10.0.19045 x64");

    public ImmutableArray<MissingData> Missing { get; init; } = [];

    public ImmutableArray<ReaderProblem> Problems { get; init; } = [];

    public string? Comment { get; init; }

    public static ThreadTimes Idle { get; } = new(TimeSpan.FromMilliseconds(15.625), TimeSpan.Zero, null, TimeSpan.FromHours(3));

    public static ThreadTimes Busy { get; } = new(TimeSpan.FromMinutes(4.5), TimeSpan.FromMinutes(129.75), null, TimeSpan.FromHours(2.4));

    public static Resource Section(ulong address) => new(ResourceKind.CriticalSection, address);

    /// <summary>Adds a thread; frames are <c>module!function+0xoffset</c> or <c>module+0xoffset</c>, innermost first.</summary>
    public SceneBuilder Thread(uint id, string systemCall, ThreadActivityKind activity, string frames, ThreadTimes? times = null, string? name = null)
    {
        ulong stackPointer = FirstStack + (ulong)_threads.Count * 0x10_0000;
        _threads.Add(new ThreadSnapshot
        {
            Id = id,
            Index = _threads.Count,
            Name = name,
            Times = times ?? Idle,
            IsLoadOwner = false,
            Activity = new ThreadActivity(activity, systemCall.Length == 0 ? null : systemCall,
                [new Evidence(EvidenceSource.Stack, $"innermost frame {frames.Split(' ')[0]}")]),
            Stack = new ThreadStack([.. frames.Split(' ').Select(f => Frame(f, stackPointer += 0x40))], StackEnd.Complete),
        });
        return this;
    }

    public SceneBuilder Waiting(uint id, string callers, string? name = null, ThreadTimes? times = null) =>
        Thread(id, "NtWaitForAlertByThreadId", ThreadActivityKind.Waiting, $"ntdll!NtWaitForAlertByThreadId+0x14 ntdll!RtlEnterCriticalSection+0xf2 {callers}",
            times, name);

    public SceneBuilder WaitingForHandle(uint id, string callers, string? name = null, ThreadTimes? times = null) =>
        Thread(id, "NtWaitForSingleObject", ThreadActivityKind.Waiting, $"ntdll!NtWaitForSingleObject+0x14 kernelbase!WaitForSingleObjectEx+0x8e {callers}",
            times, name);

    public SceneBuilder Change(uint id, Func<ThreadSnapshot, ThreadSnapshot> change)
    {
        int index = _threads.FindIndex(t => t.Id == id);
        _threads[index] = change(_threads[index]);
        return this;
    }

    public SceneBuilder Wait(uint thread, Resource resource, WaitTimeout timeout = WaitTimeout.Infinite, Grade grade = Grade.Proven, long? milliseconds = null)
    {
        _waits.Add(new WaitFact(thread, resource, timeout, grade, [new Evidence(EvidenceSource.Register, "argument of the wait", null, resource.Identity == 0
            ? null : resource.Identity)], milliseconds));
        return this;
    }

    public SceneBuilder Own(Resource resource, uint thread, bool? alive = true, Grade grade = Grade.Proven)
    {
        _ownerships.Add(new OwnershipFact(
            resource, thread, alive, 1, grade, [new Evidence(EvidenceSource.Memory, "the owner that is stored there", resource.Identity > uint.MaxValue / 256
                ? resource.Identity + 0x10 : null, thread)]));
        return this;
    }

    public SceneBuilder Named(Resource resource, string name)
    {
        _names[resource] = name;
        return this;
    }

    public ProcessSnapshot Build() => new()
    {
        Source = new SourceDescription(
            "server.dmp", "Windows minidump, full memory (flags 0x61826)", 1_610_612_736, new DateTime(2024, 2, 29, 23, 59, 58, DateTimeKind.Utc), Comment),
        System = System,
        ProcessId = 4711,
        ProcessName = "server.exe",
        Threads = [.. _threads],
        Waits = [.. _waits],
        Ownerships = [.. _ownerships],
        ResourceNames = _names.ToImmutableDictionary(),
        Modules = [Module("ntdll.dll", 0x7FFD_1C40_0000, true), Module("kernelbase.dll", 0x7FFD_1A00_0000, true), Module("server.exe", 0x1_4000_0000, false)],
        Loader = Loader,
        Available = Available,
        Missing = Missing,
        Problems = Problems,
    };

    /// <summary>The scene, judged by the detectors.</summary>
    public Scene Judged()
    {
        ProcessSnapshot snapshot = Build();
        return new Scene(snapshot, HangAnalysis.Run(snapshot));
    }

    private static ModuleSnapshot Module(string name, ulong address, bool isSystem) =>
        new(name, $@"C:\{name}", address, 0x20_0000, 0x6000_0000, "10.0.19041.1", isSystem);

    private static StackFrame Frame(string text, ulong stackPointer)
    {
        string[] place = text.Split('+');
        ulong offset = place.Length > 1 ? ulong.Parse(place[1].AsSpan(2), NumberStyles.HexNumber, CultureInfo.InvariantCulture) : 0;
        string[] names = place[0].Split('!');
        string module = names[0] + (names[0] == "server" ? ".exe" : ".dll");
        ulong at = 0x7FFD_0000_0000 + (ulong)names[0].Length * 0x100_0000 + offset;
        return names.Length > 1
            ? new StackFrame(at, stackPointer, module, 0x1000 + offset, names[1], offset, FrameTrust.UnwindInfo, SymbolSource.Export)
            : new StackFrame(at, stackPointer, module, offset, null, null, FrameTrust.UnwindInfo, SymbolSource.None);
    }
}
