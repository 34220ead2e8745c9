using Dump.Clr.Frames;
using Dump.Model.Facts;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Locks;

/// <summary>
/// Whether a thread uses a lock, by its stack. The runtime gives the managed id of an ended thread to a new one,
/// so a lock that stores such an id and whose owner ended without releasing it seems to be held by a thread that
/// has never seen it. An owner that has the lock, or an object with it, on its stack is no such stranger.
/// </summary>
internal sealed class LockUse(IReadOnlyDictionary<uint, ManagedThread> stacks)
{
    /// <summary>An owner with the grade that the witness of its stack allows; an ended owner needs none.</summary>
    /// <param name="owner">The owner by its managed id.</param>
    /// <param name="address">Address of the lock.</param>
    public LockOwner Judge(LockOwner owner, ulong address) =>
        owner.ThreadId is not { } id || (stacks.TryGetValue(id, out ManagedThread? thread) && Refers(thread, address))
            ? owner
            : owner with { Grade = Grade.Derived };

    /// <summary>True when an object on the stack, or one that it refers to, is the lock or contains it.</summary>
    private static bool Refers(ManagedThread thread, ulong address) =>
        thread.Interiors.Any(r => Contains(r.Object, address)) || NearObjects.Of(thread).Any(o => Contains(o, address));

    private static bool Contains(ClrObject candidate, ulong address) =>
        candidate.Address == address || (candidate.Type is not null && address > candidate.Address && address - candidate.Address < candidate.Size);
}
