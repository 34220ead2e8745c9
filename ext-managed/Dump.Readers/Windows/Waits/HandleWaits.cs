using System.Globalization;
using Dump.Model;
using Dump.Readers.Minidump;
using Dump.Readers.Unwinding;

namespace Dump.Readers.Windows.Waits;

/// <summary>Finds the kernel object that a thread waits for by handle.</summary>
internal static class HandleWaits
{
    /// <summary>Finds it: from the system call's argument where registers can be believed, from the caller's code, or as the only known handle the waiting frames keep.</summary>
    public static WaitFindings Find(WindowsProcess process, WindowsThread thread, string systemCall)
    {
        ThreadActivity activity = new(ThreadActivityKind.Waiting, systemCall, [new Evidence(EvidenceSource.Stack, $"innermost frame ntdll!{systemCall}")]);
        int caller = CallerIndex(thread);
        bool isSingle = IsSingle(thread, systemCall, caller);
        WaitArguments arguments = WaitArguments.Read(process, thread, caller);
        (WaitTimeout timeout, long? milliseconds) = (arguments.Timeout, arguments.Milliseconds);
        if (!isSingle)
        {
            return Multiple(process, thread, activity, arguments);
        }

        if (Handle(process, thread, systemCall, arguments, caller) is not { } found)
        {
            return Anonymous(thread, activity, timeout, milliseconds, "the handle could not be determined");
        }

        return Single(process, thread, activity, found.Handle, found.Grade, found.How, timeout, milliseconds, isAny: false);
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

    private static (MinidumpHandle Handle, Grade Grade, Evidence How)? Handle(
        WindowsProcess process, WindowsThread thread, string systemCall, WaitArguments arguments, int caller)
    {
        if (systemCall == "NtWaitForSingleObject" && SystemCallArgument.First(process, thread) is var (argument, place)
            && process.Handle(argument) is { } exact && IsWaitable(exact))
        {
            return (exact, Grade.Proven, new Evidence(EvidenceSource.Register, $"{place} of NtWaitForSingleObject is a handle of the handle stream", null, exact.Value));
        }

        if (arguments.Handle is { } given && process.Handle(given) is { } called && IsWaitable(called))
        {
            return (called, Grade.Derived, new Evidence(EvidenceSource.Code, "argument of the wait in the caller's code", null, called.Value));
        }

        // A call that signals one object and waits for another keeps both handles.
        if (arguments.Handle is not null || systemCall == "NtSignalAndWaitForSingleObject")
        {
            return null;
        }

        // Wine's WaitForSingleObject hands an array of one to the system call, and its code shows where that array lies.
        if (systemCall == "NtWaitForMultipleObjects" && thread.Walked.Count > 1
            && (arguments.Array ?? CallSiteReader.Read(process.Dump, thread.Walked[1]).Second) is { } array
            && process.Dump.ReadPointer(array, process.PointerSize) is { } element && process.Handle(element) is { } listed && IsWaitable(listed))
        {
            return (listed, Grade.Derived, new Evidence(EvidenceSource.Code, "first element of the array that is passed to the system call", array, listed.Value));
        }

        // Handles are small numbers, and a frame keeps other small numbers too.
        MinidumpHandle[] kept =
        [
            .. StackValues.Read(process.Dump, thread, caller + 1)
                .Select(process.Handle)
                .OfType<MinidumpHandle>()
                .Where(IsWaitable)
                .DistinctBy(h => h.Value),
        ];
        return kept is [{ } only]
            ? (only, Grade.Suspected, new Evidence(EvidenceSource.Register, "the only waitable handle among the waiting frames' values", null, only.Value))
            : null;
    }

    private static bool IsWaitable(MinidumpHandle handle) => handle.TypeName is
        "Event" or "Mutant" or "Semaphore" or "Thread" or "Process" or "Timer" or "WaitableTimer" or "File";

    private static WaitFindings Multiple(WindowsProcess process, WindowsThread thread, ThreadActivity activity, WaitArguments arguments)
    {
        const int MaximumObjects = 64;
        (WaitTimeout timeout, long? milliseconds) = (arguments.Timeout, arguments.Milliseconds);
        if (arguments is not { Count: > 0 and <= MaximumObjects and var count, Array: { } array, WaitsForAll: { } all })
        {
            return Anonymous(thread, activity, timeout, milliseconds, "the handles could not be determined");
        }

        List<WaitFact> waits = [];
        List<OwnershipFact> ownerships = [];
        bool isAny = !all && count > 1;
        for (uint i = 0; i < count; i++)
        {
            if (process.Dump.ReadPointer(unchecked(array + i * (uint)process.PointerSize), process.PointerSize) is not { } value || process.Handle(value) is not { } handle || !IsWaitable(handle))
            {
                return Anonymous(thread, activity, timeout, milliseconds, "not all handles could be determined");
            }

            Evidence how = new(EvidenceSource.Code, string.Create(CultureInfo.InvariantCulture, $"element {i} of the array in the caller's code"), null, value);
            WaitFindings one = Single(process, thread, activity, handle, Grade.Derived, how, timeout, milliseconds, isAny);
            waits.AddRange(one.Waits);
            ownerships.AddRange(one.Ownerships);
        }

        return new WaitFindings(activity, waits, ownerships);
    }

    private static WaitFindings Single(
        WindowsProcess process, WindowsThread thread, ThreadActivity activity, MinidumpHandle handle, Grade grade, Evidence how, WaitTimeout timeout, long? milliseconds, bool isAny)
    {
        Resource resource = HandleResources.ResourceOf(handle);
        Grade trust = thread.TrustOf(2);
        WaitFact wait = new(
            thread.Id, resource, timeout, trust < grade ? trust : grade,
            [how, new Evidence(EvidenceSource.DumpStream, $"handle 0x{handle.Value:x} has the type {handle.TypeName}")],
            milliseconds, isAny);
        return new WaitFindings(activity, [wait], HandleResources.OwnershipOf(process, handle) is { } ownership ? [ownership] : []);
    }

    private static WaitFindings Anonymous(WindowsThread thread, ThreadActivity activity, WaitTimeout timeout, long? milliseconds, string why) => new(
        activity,
        [
            new WaitFact(
                thread.Id, new Resource(ResourceKind.KernelObject, 0, thread.Id), timeout, Grade.Suspected,
                [new Evidence(EvidenceSource.Stack, why)], milliseconds),
        ],
        []);
}
