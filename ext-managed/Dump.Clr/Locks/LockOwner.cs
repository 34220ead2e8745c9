using Dump.Model.Facts;

namespace Dump.Clr.Locks;

/// <summary>A holder of a managed lock, as the lock records it.</summary>
/// <param name="ManagedThreadId">Managed id, or null when only the operating system's is recorded.</param>
/// <param name="ThreadId">Operating system id, or null when the thread has ended.</param>
/// <param name="RecursionCount">How many times it has entered, or null when not recorded.</param>
/// <param name="Evidence">Where it was read.</param>
internal sealed record LockOwner(int? ManagedThreadId, uint? ThreadId, int? RecursionCount, Evidence Evidence)
{
    /// <summary>How well the holder is known. An id that the runtime gives to another thread when its thread has ended proves nothing by itself.</summary>
    public Grade Grade { get; init; } = Grade.Proven;

    /// <summary>True when nothing but the managed id joins lock and thread: this may be a later thread with the id of one that has ended.</summary>
    public bool IsByIdAlone { get; init; }
}
