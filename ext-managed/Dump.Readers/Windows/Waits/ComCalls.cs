using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Windows.Process;

namespace Dump.Readers.Windows.Waits;

/// <summary>
/// COM calls from thread to thread of the process: a thread that executes a call names its caller. The caller waits for it when its innermost frames are COM's
/// wait for the only call it has made, and exactly one thread executes a call of it. No more than derived: the field is not documented.
/// </summary>
internal static class ComCalls
{
    /// <summary>The findings with such waits in place of the handle or message wait that COM makes for them.</summary>
    public static List<WaitFindings> Add(WindowsProcess process, List<WaitFindings> findings)
    {
        ILookup<uint, (WindowsThread Thread, OleThreadData Data)> serving = process.Threads
            .Select(t => (Thread: t, Data: Serving(process, t))).Where(s => s.Data is not null)
            .ToLookup(s => s.Data!.CallerThreadId!.Value, s => (s.Thread, s.Data!));
        return [.. process.Threads.Zip(findings, (t, f) => !Waits(t, f) ? f
            : serving[t.Id].ToArray() is [var only] ? Served(process, t, f, only.Thread, only.Data)
            : ComFrames.PumpsForItsCall(t.Frames) ? Unserved(t, f) : f)];
    }

    /// <summary>What is missing when a thread waits for the answer to a call, and what tells who executes it is not in the dump.</summary>
    /// <param name="process">The process.</param>
    /// <param name="findings">What its threads do and wait for, after <see cref="Add"/>, in their order.</param>
    public static IEnumerable<MissingData> Missing(WindowsProcess process, IReadOnlyList<WaitFindings> findings)
    {
        if (process.Threads.Zip(findings).Any(t => Waits(t.First, t.Second) || t.Second is { Waits: [{ Resource.Kind: ResourceKind.ComCall }], Ownerships: [] })
            && process.Threads.Any(t => t.Environment is { } teb && ComFrames.HasCom(t.Frames)
                && OleThreadData.IsMissing(process.Dump, teb)))
        {
            yield return MissingData.Of(MissingKind.ComThreadData);
        }
    }

    /// <summary>What COM keeps of a thread that executes a call of another thread of this process, else null.</summary>
    private static OleThreadData? Serving(WindowsProcess process, WindowsThread thread) =>
        thread.Environment is { } teb && ComFrames.HasCom(thread.Frames)
            && OleThreadData.Read(process.Dump, teb) is { CallerThreadId: { } caller } data
            && caller != thread.Id && process.IsThread(caller) ? data : null;

    /// <summary>A wait for messages, an event or an object that could not be identified: COM waits for locks of its own too, which are better known.</summary>
    private static bool Waits(WindowsThread thread, WaitFindings findings) =>
        findings.Activity.SystemCall is "NtUserMsgWaitForMultipleObjectsEx" or "NtWaitForSingleObject" or "NtWaitForMultipleObjects"
        && findings.Waits.All(w => w.Resource.Kind is ResourceKind.Event or ResourceKind.KernelObject)
        && ComFrames.WaitsForItsOnlyCall(thread.Frames);

    /// <summary>The answer may come from an apartment of this process or of another one: which, the frames do not tell.</summary>
    private static WaitFindings Unserved(WindowsThread caller, WaitFindings findings) => new(
        findings.Activity with { Kind = ThreadActivityKind.Waiting },
        [
            new WaitFact(caller.Id, new Resource(ResourceKind.ComCall, 0, caller.Id), WaitTimeout.Infinite, (Grade)Math.Min((int)Grade.Derived, (int)caller.TrustOf(caller.Frames.Length)),
                [new Evidence(EvidenceSource.Stack, "COM takes messages on the innermost frames, as it does while a call that it made has no answer"), .. caller.Cautions]),
        ],
        []);

    private static WaitFindings Served(WindowsProcess process, WindowsThread caller, WaitFindings findings, WindowsThread server, OleThreadData data)
    {
        Resource call = new(ResourceKind.ComCall, 0, caller.Id);
        Grade grade = (Grade)Math.Min((int)Grade.Derived, (int)caller.TrustOf(caller.Frames.Length));
        ulong? field = data.Address + (ulong?)server.Environment?.Layout.Ole.CallerThreadId;
        WaitFact wait = new(caller.Id, call, WaitTimeout.Infinite, grade,
            [new Evidence(EvidenceSource.Stack, "COM waits on the innermost frames, for the only call that other code on this stack has made"),
                .. caller.Cautions]);
        OwnershipFact served = new(call, server.Id, true, null, Grade.Derived,
            [new Evidence(
                EvidenceSource.Memory,
                $"what COM keeps of thread 0x{server.Id:x} (SOleTlsData, not documented) names thread 0x{caller.Id:x} as its caller, and that of no other "
                    + "thread does", field, caller.Id)]);
        return new WaitFindings(findings.Activity with { Kind = ThreadActivityKind.Waiting }, [wait], [served]);
    }
}

/// <summary>Tells by modules what COM does on a stack: without symbols its own functions have no names.</summary>
internal static class ComFrames
{
    private static readonly FrozenSet<string> s_com = new[] { "combase", "ole32", "rpcrt4", "oleaut32" }.ToFrozenSet();
    private static readonly FrozenSet<string> s_system = new[] { "ntdll", "kernelbase", "kernel32", "user32", "win32u" }.ToFrozenSet();

    // Waits that the program itself asks COM for (combaseapi.h); they pump, but wait for handles and not for an answer. Wine's COM waits for answers by them too.
    private static readonly FrozenSet<string> s_handleWaits = new[]
    {
        "CoWaitForMultipleHandles", "CoWaitForMultipleObjects",

        // Loops that stand there as long as the surrogate, or the drag, goes on (objbase.h, ole2.h).
        "CoRegisterSurrogate", "CoRegisterSurrogateEx", "DoDragDrop",
    }.ToFrozenSet();

    /// <summary>True when COM's own code stands on the stack.</summary>
    public static bool HasCom(ImmutableArray<StackFrame> frames) => frames.Any(f => f.ModuleStem is "combase" or "ole32");

    /// <summary>
    /// True when the innermost frames are a wait that COM makes for the answer to the only call the thread has made: below the system's wait functions stands
    /// COM, called by other code, and nowhere further out has other code called COM, whose call would then be unanswered too.
    /// </summary>
    public static bool WaitsForItsOnlyCall(ImmutableArray<StackFrame> frames)
    {
        int com = 0;
        while (com < frames.Length && frames[com].ModuleStem is { } system && s_system.Contains(system))
        {
            com++;
        }

        int caller = com;
        while (caller < frames.Length && frames[caller].ModuleStem is { } stem && (s_com.Contains(stem) || s_system.Contains(stem)))
        {
            caller++;
        }

        ImmutableArray<StackFrame> run = frames[com..caller];
        return com > 0 && !run.IsEmpty && run[0].ModuleStem is "combase" or "ole32"
            && caller < frames.Length && s_com.Contains(frames[caller - 1].ModuleStem!)
            && !(frames[caller - 1].Function is { } called && s_handleWaits.Contains(called))
            && !CallsCom(frames[caller..]);
    }

    /// <summary>
    /// True when COM takes messages for the only call that a thread without windows of its own has made: no frame of a loop or a handler of messages stands further
    /// out, whose wait it would be.
    /// </summary>
    public static bool PumpsForItsCall(ImmutableArray<StackFrame> frames) =>
        (frames is [{ ModuleStem: "win32u", Function: "NtUserMsgWaitForMultipleObjectsEx" }, ..] || Outgoing(frames)) && WaitsForItsOnlyCall(frames) && !frames.SkipWhile(f => f.ModuleStem is { } stem && (s_com.Contains(stem) || s_system.Contains(stem)))
            .Any(f => f.ModuleStem is "user32" or "win32u" || f.Is("ntdll", "KiUserCallbackDispatcher"));

    /// <summary>True where a proxy's call stands in the run of COM's and the system's innermost frames: by the exported function that every proxy goes through.</summary>
    private static bool Outgoing(ImmutableArray<StackFrame> frames) =>
        frames.TakeWhile(f => f.ModuleStem is { } stem && (s_com.Contains(stem) || s_system.Contains(stem))).Any(f => f.Is("rpcrt4", "NdrProxySendReceive"));

    /// <summary>True when one of the frames, other code than COM's and the system's, has called COM.</summary>
    private static bool CallsCom(ImmutableArray<StackFrame> frames)
    {
        for (int i = 1; i < frames.Length; i++)
        {
            bool isOther = frames[i].ModuleStem is not { } stem || !(s_com.Contains(stem) || s_system.Contains(stem));
            if (isOther && frames[i - 1].ModuleStem is { } inner && s_com.Contains(inner))
            {
                return true;
            }
        }

        return false;
    }
}
