using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Verdicts;
using Dump.Model.Waits;
using static Dump.Reports.Tests.Scenes.SceneBuilder;

namespace Dump.Reports.Tests.Scenes;

/// <summary>Outcomes without a verdict: each important kind of missing data, a failed detector, nothing found, a troubled input.</summary>
internal static class MissingDataScenes
{
    /// <summary>Name and maker of each.</summary>
    public static IReadOnlyDictionary<string, Func<Scene>> Named => new Dictionary<string, Func<Scene>>
    {
        ["nothing-found"] = NothingFound,
        ["no-times"] = NoTimes,
        ["no-loader-lock"] = NoLoaderLock,
        ["no-lock-memory"] = NoLockMemory,
        ["no-handles"] = NoHandles,
        ["no-mutex-owner"] = NoMutexOwner,
        ["no-slim-lock-owner"] = NoOwnerOfSlimLocks,
        ["no-handle-value"] = NoHandleValue,
        ["other-architecture"] = OtherArchitecture,
        ["detector-failed"] = DetectorFailed,
        ["detector-failed-and-data-missing"] = DetectorFailedBesideMissingData,
        ["detector-failed-beside-verdict"] = DetectorFailedBesideAVerdict,
        ["many-problems"] = ManyProblems,
    };

    private const string Caller = "server!Worker+0x1c kernel32!BaseThreadInitThunk+0x14 ntdll!RtlUserThreadStart+0x21";

    public static Scene NothingFound() => new SceneBuilder
    {
        Comment = "\n*** procdump64.exe -ma server.exe\n*** Manual dump",
    }.WaitingForHandle(0x100, Caller).Wait(0x100, new Resource(ResourceKind.Event, 0x44)).Judged();

    public static Scene NoTimes() => Idling(DataAvailability.All with { ThreadTimes = false });

    public static Scene NoLoaderLock() => Idling(DataAvailability.All with { LoaderLock = false, ThreadEnvironmentBlocks = false });

    public static Scene NoLockMemory() => new SceneBuilder { Available = DataAvailability.All with { LockMemory = false } }
        .Waiting(0x100, Caller).Wait(0x100, new Resource(ResourceKind.CriticalSection, 0, 0x100), grade: Grade.Suspected).Judged();

    public static Scene NoHandles() => new SceneBuilder { Available = DataAvailability.All with { Handles = false, HandleOwners = false } }
        .WaitingForHandle(0x100, Caller).Wait(0x100, new Resource(ResourceKind.KernelObject, 0x44)).Judged();

    public static Scene NoMutexOwner() => new SceneBuilder()
        .WaitingForHandle(0x100, Caller).Wait(0x100, new Resource(ResourceKind.Mutex, 0x44)).Judged();

    public static Scene NoOwnerOfSlimLocks() => new SceneBuilder()
        .Thread(0x100, "NtWaitForAlertByThreadId", ThreadActivityKind.Waiting,
            $"ntdll!NtWaitForAlertByThreadId+0x14 ntdll!RtlAcquireSRWLockExclusive+0x105 {Caller}")
        .Wait(0x100, new Resource(ResourceKind.SlimReaderWriterLock, 0x2A0_3000)).Judged();

    public static Scene NoHandleValue() => new SceneBuilder()
        .WaitingForHandle(0x100, Caller).Wait(0x100, new Resource(ResourceKind.KernelObject, 0, 0x100), WaitTimeout.Unknown, Grade.Derived).Judged();

    /// <summary>As a reader describes a 32-bit dump: no stack at all.</summary>
    public static Scene OtherArchitecture() => new SceneBuilder
    {
        System = new(ProcessorArchitecture.X86, 6, 1, 7601, null, false, "Windows 6.1.7601 Service Pack 1 x86"),
        Available = new(false, false, false, false, true, false, false),
        Loader = LoaderState.Unknown,
        Missing =
        [
            new("an unwinder for X86 code", "stacks of this architecture are not walked by this version, so no wait is known",
                "a dump of the 64-bit x64 build of the program, where there is one"),
            new("process memory", "stacks and locks cannot be read", "procdump -ma PID"),
        ],
    }.Waiting(0x100, Caller)
        .Change(0x100, t => t with { Times = null, Activity = ThreadActivity.Unknown, Stack = ThreadStack.None, IsLoadOwner = null }).Judged();

    /// <summary>A defect of one detector, and nothing found by the others.</summary>
    public static Scene DetectorFailed() => Failing(NothingFound());

    public static Scene DetectorFailedBesideMissingData() => Failing(NoTimes());

    public static Scene DetectorFailedBesideAVerdict() => Failing(VerdictScenes.RunawayThatComputes());

    /// <summary>More problems than the text form lists, and stacks that end for every reason.</summary>
    public static Scene ManyProblems()
    {
        SceneBuilder scene = new() { Problems = [.. Enumerable.Range(1, 23)
            .Select(i => new ReaderProblem("ModuleList", $"names string {i} outside the file", (ulong)i * 0x100))] };
        uint id = 0x100;
        foreach (StackEnd end in Enum.GetValues<StackEnd>())
        {
            scene.WaitingForHandle(id, Caller).Wait(id, new Resource(ResourceKind.Event, 0x40 + id), WaitTimeout.Finite, milliseconds: 30_000)
                .Change(id, t => t with { Stack = t.Stack with { End = end, Frames =
                    [.. t.Stack.Frames.Select((f, i) => f with { Trust = i == 2 ? FrameTrust.Scan : i == 3 ? FrameTrust.FramePointer : f.Trust })] } });
            id += 4;
        }

        return scene.Judged();
    }

    private static Scene Idling(DataAvailability available) => new SceneBuilder { Available = available }
        .WaitingForHandle(0x100, Caller).Wait(0x100, new Resource(ResourceKind.Event, 0x44)).Judged();

    private static Scene Failing(Scene scene) => scene with
    {
        Result = scene.Result with
        {
            Outcomes = [.. scene.Result.Outcomes.Select(o => o.DetectorId == "DUMP1002"
                ? o with { Kind = DetectorOutcomeKind.Failed, Missing = [], Error = "InvalidOperationException: Sequence contains no elements" }
                : o)],
        },
    };
}
