using Dump.Model.Facts;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Locks;

/// <summary>
/// Owner of a <c>Mutex</c> on Linux from .NET 11 on, where it is managed code: the handle of the mutex is one to a <c>WaitableObject</c>, whose ownership has
/// the <c>Thread</c> that holds it (dotnet/runtime, src/libraries/System.Private.CoreLib/src/System/Threading/WaitSubsystem.WaitableObject.Unix.cs at the tag
/// v11.0.0; read so in processes of 11.0.0). Before, it is in native memory that is not read. A thread that ends leaves its mutexes to the next one.
/// </summary>
internal static class MutexOwners
{
    private const string Waitable = "System.Threading.WaitSubsystem+WaitableObject";

    /// <summary>The owner, or null when the mutex is free or the runtime has it elsewhere.</summary>
    /// <param name="mutex">The mutex.</param>
    /// <param name="threads">The runtime's threads.</param>
    public static LockOwner? Of(ClrObject mutex, ManagedThreads threads) =>
        mutex.Type is { } type && mutex.TryReadObjectField("_waitHandle", out ClrObject safe) && safe is { IsNull: false, IsValid: true }
        && safe.TryReadField("handle", out ulong handle) && handle != 0
        && type.Heap.Runtime.DataTarget.DataReader.ReadPointer(handle, out ulong address)
        && type.Heap.GetObject(address) is { IsValid: true, Type.Name: Waitable } waitable
        && waitable.TryReadObjectField("_ownershipInfo", out ClrObject ownership) && ownership is { IsNull: false, IsValid: true }
        && ownership.TryReadObjectField("_thread", out ClrObject thread) && thread is { IsNull: false, IsValid: true }
        && thread.TryReadField("_DONT_USE_InternalThread", out ulong record) && threads.AtAddress(record) is { OSThreadId: not 0 } owner
            ? new LockOwner(owner.ManagedThreadId, owner.OSThreadId, null,
                new Evidence(EvidenceSource.Memory, "WaitableObject.OwnershipInfo._thread of the Mutex", waitable.Address, (uint)owner.ManagedThreadId))
            : null;
}
