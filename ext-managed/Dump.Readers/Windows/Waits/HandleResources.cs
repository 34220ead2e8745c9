using Dump.Model;
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
        "Timer" or "WaitableTimer" => new Resource(ResourceKind.Timer, handle.Value),
        "File" => new Resource(ResourceKind.InputOutput, handle.Value),
        _ => new Resource(ResourceKind.KernelObject, handle.Value),
    };

    /// <summary>Who holds it: a mutex' recorded owner, or a thread itself. Null where nobody is recorded, and for a thread that has ended or belongs to another process.</summary>
    public static OwnershipFact? OwnershipOf(WindowsProcess process, MinidumpHandle handle)
    {
        if (handle.TypeName == "Thread" && handle.ThreadId is { } id)
        {
            return !process.IsThread(id) ? null : new OwnershipFact(ResourceOf(handle), id, true, null, Grade.Proven,
                [new Evidence(EvidenceSource.DumpStream, $"handle 0x{handle.Value:x} is thread 0x{id:x}, which has not ended (HandleData, thread information)")]);
        }

        return handle.TypeName == "Mutant" && handle.MutexOwnerThreadId is { } owner && handle.MutexIsAbandoned != true
            ? new OwnershipFact(ResourceOf(handle), owner, null, null, Grade.Proven,
                [new Evidence(EvidenceSource.DumpStream, $"mutex owner of handle 0x{handle.Value:x} (HandleData, mutant owner information)", null, owner)])
            : null;
    }
}
