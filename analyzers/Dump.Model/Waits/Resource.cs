namespace Dump.Model.Waits;

/// <summary>The identity of something threads wait for. Two facts speak of the same resource when kind and identity are equal.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Identity">The address of a lock, the handle value of a kernel object, the operating system id of a thread; 0 when the resource exists once per process (load ownership).</param>
/// <param name="Owner">Distinguishes anonymous resources: the waiting thread's id where <paramref name="Identity"/> could not be read, else 0.</param>
public sealed record Resource(ResourceKind Kind, ulong Identity, uint Owner = 0)
{
    /// <summary>True when the same thread may take the resource again without blocking.</summary>
    public bool IsRecursive => Kind is ResourceKind.CriticalSection or ResourceKind.LoaderLock or ResourceKind.LoadOwnership or ResourceKind.Mutex
        or ResourceKind.Monitor or ResourceKind.ManagedLock or ResourceKind.ManagedReaderWriterLock or ResourceKind.TypeInitializer;

    /// <summary>True when one thread holds the resource exclusively but it stores nowhere which: a suspected holder is then a mere candidate, who only has something to do with it.</summary>
    public bool HasOnlyCandidates => Kind is ResourceKind.SlimReaderWriterLock or ResourceKind.OneTimeInitialization;

    /// <summary>True when threads queue for it: not for the end of a thread, nor for a call that it executes.</summary>
    public bool HasQueue => Kind is not (ResourceKind.Thread or ResourceKind.ComCall);

    /// <summary>True when the resource belongs to the loader, so that a cycle through it is a loader-lock deadlock.</summary>
    public bool IsLoader => Kind is ResourceKind.LoaderLock or ResourceKind.LoadOwnership;
}
