using System.Globalization;
using Dump.Model.Facts;
using Dump.Model.Waits;
using Dump.Readers.Minidump;

namespace Dump.Readers.Windows.Waits;

/// <summary>Turns handles into resources and their owners.</summary>
internal static class HandleResources
{
    /// <summary>What a handle stands for. Two handles to one thread are the same resource.</summary>
    public static Resource ResourceOf(MinidumpHandle handle) => handle.TypeName switch
    {
        "Thread" when handle.ThreadId is { } id => new Resource(ResourceKind.Thread, id),
        "Mutant" => new Resource(ResourceKind.Mutex, handle.Value),
        "Event" => new Resource(ResourceKind.Event, handle.Value),
        "Semaphore" => new Resource(ResourceKind.Semaphore, handle.Value),
        "Process" => new Resource(ResourceKind.Process, handle.Value),
        "Timer" or "WaitableTimer" or "IRTimer" => new Resource(ResourceKind.Timer, handle.Value),
        "File" => new Resource(ResourceKind.InputOutput, handle.Value),
        "ALPC Port" => new Resource(ResourceKind.RemoteCall, handle.Value),
        _ => new Resource(ResourceKind.KernelObject, handle.Value),
    };

    /// <summary>True for the types of object that threads can wait for.</summary>
    public static bool IsWaitable(MinidumpHandle handle) => handle.TypeName is
        "Event" or "Mutant" or "Semaphore" or "Thread" or "Process" or "Timer" or "WaitableTimer" or "IRTimer" or "File" or "Job" or "ALPC Port"
            or "IoCompletion";

    /// <summary>
    /// Who holds it: a mutex' recorded owner, or a thread itself. Null where nobody is recorded or the
    /// records contradict each other, and for a thread that has ended or belongs to another process.
    /// </summary>
    public static OwnershipFact? OwnershipOf(WindowsProcess process, MinidumpHandle handle)
    {
        if (handle.TypeName == "Thread" && handle.ThreadId is { } id)
        {
            return !process.IsThread(id) || process.IsForeign(handle.ThreadProcessId) || handle.ThreadHasEnded == true ? null
                : new OwnershipFact(ResourceOf(handle), id, true, null, Grade.Proven,
                    [new Evidence(EvidenceSource.DumpStream,
                        $"handle 0x{handle.Value:x} is thread 0x{id:x}, which has not ended (HandleData, thread information)")]);
        }

        return handle.TypeName == "Mutant" && handle.MutexOwnerThreadId is { } owner && handle.MutexIsAbandoned != true && handle.MutexCount is not > 0
            ? MutexOwner(process, handle, owner)
            : null;
    }

    /// <summary>
    /// A mutex of another process' thread has no owner among the threads of this one. The system releases what a thread holds when that ends, so that an owner
    /// which the thread list does not have is none that has died: it is unknown.
    /// </summary>
    private static OwnershipFact MutexOwner(WindowsProcess process, MinidumpHandle handle, uint owner)
    {
        const int DeepestRecursion = 1 << 30;
        bool isForeign = process.IsForeign(handle.MutexOwnerProcessId);
        return new OwnershipFact(
            ResourceOf(handle),
            isForeign ? 0 : owner,
            !isForeign && process.IsThread(owner) ? true : null,
            handle.MutexCount is { } count and > -DeepestRecursion ? 1 - count : null,
            Grade.Proven,
            [new Evidence(EvidenceSource.DumpStream, $"mutex owner of handle 0x{handle.Value:x} (HandleData, mutant owner information)", null, owner)])
        {
            OwnerDescription = isForeign ? Foreign(owner, handle.MutexOwnerProcessId!.Value) : null,
        };
    }

    private static string Foreign(uint thread, uint processId) =>
        string.Create(CultureInfo.InvariantCulture, $"thread 0x{thread:x} of process {processId} (0x{processId:x})");
}
