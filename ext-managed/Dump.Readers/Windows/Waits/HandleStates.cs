using System.Globalization;
using Dump.Readers.Minidump;

namespace Dump.Readers.Windows.Waits;

/// <summary>
/// The state of a kernel object as its handle's information records it. The writer suspends the threads one after another and asks for the objects after that:
/// a thread can stand in a wait for an object that another one has signalled meanwhile.
/// </summary>
internal static class HandleStates
{
    /// <summary>
    /// True when a wait for the object ends at once. False when it does not, when that is not recorded, and when the records contradict each other.
    /// </summary>
    public static bool IsSignalled(WindowsProcess process, MinidumpHandle handle) => handle.TypeName switch
    {
        "Event" => handle.EventIsSignaled == true,
        "Semaphore" => handle.SemaphoreCount > 0,

        // The system releases the mutex of a thread that ends, marks it as abandoned, and takes the mark off when the next thread gets it.
        "Mutant" => handle.MutexCount > 0 && (handle.MutexIsAbandoned == true || handle.MutexOwnerThreadId is null),
        "Thread" => HasEnded(process, handle),
        "Process" => handle.ProcessHasEnded == true,
        _ => false,
    };

    /// <summary>
    /// True when a thread's wait for the object has ended or ends at once. Whoever releases a mutex gives it to the next waiter, which then stands in the call
    /// as its owner until it runs; a wait for one's own mutex does not block (Microsoft Learn, "Mutex Objects").
    /// </summary>
    public static bool EndsWaitOf(WindowsProcess process, WindowsThread thread, MinidumpHandle handle) => IsSignalled(process, handle)
        || (handle.TypeName == "Mutant" && HandleResources.OwnershipOf(process, handle) is { OwnerIsAlive: true } held && held.OwnerThreadId == thread.Id);

    /// <summary>The state in words, without what the resource's name and owner say already; null when nothing is recorded.</summary>
    public static string? Describe(WindowsProcess process, MinidumpHandle handle) => handle.TypeName switch
    {
        "Event" when handle is { EventIsManualReset: { } manual, EventIsSignaled: { } signaled } =>
            $"{(manual ? "manual-reset" : "auto-reset")}, {(signaled ? "signalled" : "not signalled")}",
        "Semaphore" when handle is { SemaphoreCount: { } free, SemaphoreMaximum: { } maximum } =>
            string.Create(CultureInfo.InvariantCulture, $"{free} of {maximum} free"),
        "Mutant" => Mutex(handle),
        "Thread" when process.IsForeign(handle.ThreadProcessId) => $"of process {Id(handle.ThreadProcessId!.Value)}",
        "Thread" when HasEnded(process, handle) => "has ended",
        "Process" => Process(process, handle),
        _ => null,
    };

    private static bool HasEnded(WindowsProcess process, MinidumpHandle handle) =>
        handle.ThreadHasEnded == true
        || (handle is { ThreadId: { } id, ThreadProcessId: { } owner } && process.Id == owner && !process.IsThread(id));

    private static string? Mutex(MinidumpHandle handle) => handle switch
    {
        { MutexIsAbandoned: true, MutexCount: > 0 } => "abandoned: its owner ended without releasing it, and the next thread that waits gets it",
        { MutexCount: > 0, MutexOwnerThreadId: not null } or { MutexIsAbandoned: true } => "its records contradict each other",
        { MutexCount: > 0 } => "free",
        { MutexCount: not null, MutexOwnerThreadId: null } => "held, owner not recorded",
        _ => null,
    };

    private static string? Process(WindowsProcess process, MinidumpHandle handle)
    {
        if (handle.ProcessId is not { } id)
        {
            return null;
        }

        string state = handle.ProcessHasEnded == true ? ", has ended" : "";
        return process.Id == id ? $"this process itself{state}" : $"id {Id(id)}, not in this dump{state}";
    }

    private static string Id(uint id) => string.Create(CultureInfo.InvariantCulture, $"{id} (0x{id:x})");
}
