using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;

namespace Dump.Readers.Windows.Waits;

/// <summary>Finds the kernel object that a thread waits for by handle.</summary>
internal static class HandleWaits
{
    /// <summary>
    /// Finds it: from the system call's argument where registers can be believed, from the caller's code, or as the only known handle the waiting frames keep.
    /// </summary>
    public static WaitFindings Find(WindowsProcess process, WindowsThread thread, string systemCall)
    {
        ThreadActivity activity = new(ThreadActivityKind.Waiting, systemCall, [new Evidence(EvidenceSource.Stack, $"innermost frame ntdll!{systemCall}")]);
        int caller = CallerIndex(thread);
        bool isSingle = IsSingle(thread, systemCall, caller);
        WaitArguments arguments = WaitArguments.Read(process, thread, caller).OrLimitOfCall(process, thread);
        (WaitTimeout timeout, long? milliseconds) = (arguments.Timeout, arguments.Milliseconds);
        WaitFindings found = !isSingle ? Several(process, thread, systemCall, activity, arguments)
            : WaitedHandles.Single(process, thread, systemCall, arguments, caller) is { } handle
            ? Findings(process, thread, activity, [handle], isAny: false, timeout, milliseconds)
            : Anonymous(thread, activity, timeout, milliseconds, "the handle could not be determined");
        return arguments.IsAlertable == true && !GoesOnAfterCalls(thread, caller) ? Alertable(found) : found;
    }

    /// <summary>
    /// True where a runtime or a library of the system made the wait: these wait again after an asynchronous procedure call (coreclr's and clr's waits do so
    /// in a loop, dotnet/runtime, threads.cpp, Thread::DoAppropriateWait), or for what they have to do themselves.
    /// </summary>
    private static bool GoesOnAfterCalls(WindowsThread thread, int caller) => caller >= thread.Frames.Length
        || thread.Frames[caller].ModuleStem is null or "coreclr" or "clr" or "mscorwks" or "combase" or "ole32" or "rpcrt4" or "ws2_32" or "mswsock";

    private static WaitFindings Alertable(WaitFindings found)
    {
        Evidence how = new(EvidenceSource.Code, "the wait is alertable: an asynchronous procedure call ends it too");
        return found with { Waits = [.. found.Waits.Select(w => w with { IsAlertable = true, Evidence = w.Evidence.Add(how) })] };
    }

    /// <summary>Index of the first frame outside ntdll and kernelbase or kernel32: the program's own.</summary>
    public static int CallerIndex(WindowsThread thread)
    {
        int index = 0;
        while (index < thread.Frames.Length && thread.Frames[index].ModuleStem is "ntdll" or "kernelbase" or "kernel32")
        {
            index++;
        }

        return index;
    }

    // Wine implements WaitForSingleObject by NtWaitForMultipleObjects with a count of one.
    private static bool IsSingle(WindowsThread thread, string systemCall, int caller) =>
        systemCall is "NtWaitForSingleObject" or "NtSignalAndWaitForSingleObject"
        || thread.Frames.Take(caller).Any(f => f.Function is "WaitForSingleObject" or "WaitForSingleObjectEx");

    /// <summary>
    /// Where it is not known whether all or any one of the objects is waited for, every one is stated as
    /// suspected: a wait for any one is not blocked by the holder of another.
    /// </summary>
    private static WaitFindings Several(WindowsProcess process, WindowsThread thread, string systemCall, ThreadActivity activity, WaitArguments arguments)
    {
        if (WaitedHandles.Several(process, thread, systemCall, arguments) is not { } handles)
        {
            return Anonymous(thread, activity, arguments.Timeout, arguments.Milliseconds, "the handles could not be determined");
        }

        if (arguments.WaitsForAll is null && handles.Length > 1)
        {
            Evidence unknown = new(EvidenceSource.Code, "whether the wait is for all of its objects or for any one is not readable");
            WaitFindings found = Findings(process, thread, activity, handles, isAny: false, arguments.Timeout, arguments.Milliseconds);
            return found with { Waits = [.. found.Waits.Select(w => w with { Grade = Grade.Suspected, Evidence = w.Evidence.Add(unknown) })] };
        }

        return Findings(process, thread, activity, handles, arguments.WaitsForAll == false && handles.Length > 1, arguments.Timeout, arguments.Milliseconds);
    }

    private static WaitFindings Findings(
        WindowsProcess process, WindowsThread thread, ThreadActivity activity, IReadOnlyList<WaitedHandle> handles, bool isAny, WaitTimeout timeout,
        long? milliseconds)
    {
        Grade trust = thread.TrustOf(2);
        return new WaitFindings(
            activity,
            [.. handles.Select(h => Fact(process, thread, h)
                with { Grade = trust < h.Grade ? trust : h.Grade, Timeout = timeout, Milliseconds = milliseconds, IsWaitAny = isAny })],
            [.. handles.Select(h => h.Value == WaitedHandle.CurrentThread
                ? Itself(thread)
                : h.Known is { } known ? HandleResources.OwnershipOf(process, known) : null).OfType<OwnershipFact>()]);
    }

    private static WaitFact Fact(WindowsProcess process, WindowsThread thread, WaitedHandle handle)
    {
        Resource resource = handle switch
        {
            { Known: { } listed } => HandleResources.ResourceOf(listed),
            { Value: WaitedHandle.CurrentThread } => new Resource(ResourceKind.Thread, thread.Id),
            { Value: WaitedHandle.CurrentProcess } => new Resource(ResourceKind.Process, handle.Value),
            _ => new Resource(ResourceKind.KernelObject, handle.Value),
        };
        Evidence[] type = handle.Known is { TypeName: { } name }
            ? [new Evidence(EvidenceSource.DumpStream, $"handle 0x{handle.Known.Value:x} has the type {name}")]
            : [];
        return new WaitFact(thread.Id, resource, WaitTimeout.Unknown, handle.Grade, [handle.How, .. type, .. thread.Cautions])
        {
            IsSatisfied = handle.Known is { } known && HandleStates.EndsWaitOf(process, thread, known),
        };
    }

    /// <summary>Some programs park a thread for good by this wait, so that it is no more than suspected to be a mistake.</summary>
    private static OwnershipFact Itself(WindowsThread thread) => new(
        new Resource(ResourceKind.Thread, thread.Id), thread.Id, true, null, Grade.Suspected,
        [new Evidence(EvidenceSource.Rule, "the thread waits for its own end, by mistake or to stay for good")]);

    private static WaitFindings Anonymous(WindowsThread thread, ThreadActivity activity, WaitTimeout timeout, long? milliseconds, string why) => new(
        activity,
        [
            new WaitFact(
                thread.Id, new Resource(ResourceKind.KernelObject, 0, thread.Id), timeout, Grade.Suspected,
                [new Evidence(EvidenceSource.Stack, why)], milliseconds),
        ],
        []);
}
