using System.Buffers.Binary;
using System.Globalization;
using Dump.Clr.Frames;
using Dump.Clr.Tasks;
using Dump.Model.Facts;
using Dump.Model.Waits;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Waits;

/// <summary>
/// Wait handles that a thread waits for. The frames of the wait refer to safe handles only; the managed object, whose type says what the handle is, refers to
/// its safe handle by the field <c>WaitHandle._waitHandle</c>. Of a <c>Mutex</c> on Linux the owner is read from .NET 11 on.
/// </summary>
internal static class HandleTargets
{
    /// <summary>The type of what the frames of a wait for a handle refer to.</summary>
    public const string SafeHandle = "Microsoft.Win32.SafeHandles.SafeWaitHandle";

    private const string WaitHandle = "System.Threading.WaitHandle";
    private const int MostHandles = 64;
    private const int MostBytesBefore = 4_096;

    /// <summary>The handle of <c>WaitOne</c>; empty when its managed object cannot be found, so that it might be a mutex.</summary>
    public static WaitTarget[] One(ManagedThread thread, WaitCall wait)
    {
        ClrObject found = wait.Objects(thread).FirstOrDefault(o => IsWaitHandle(o) || o.Type?.Name == SafeHandle);
        ClrObject handle = IsWaitHandle(found) ? found : Managed(thread, found);
        return handle.Type is null ? [] : [Target(handle, $"wait handle in the frames of {wait.Function.Type}.{wait.Function.Method}")];
    }

    /// <summary>The handles of <c>WaitAll</c>: each that is a mutex has an owner.</summary>
    public static WaitTarget[] All(ManagedThread thread, WaitCall wait) =>
        [.. Handles(thread, wait).Take(MostHandles).Select(h => Target(h, "one of the wait handles of WaitHandle.WaitAll"))];

    /// <summary>The handles of <c>WaitAny</c> as one signal without an owner.</summary>
    public static WaitTarget[] Any(ManagedThread thread, WaitCall wait)
    {
        ClrObject array = Array(thread, wait);
        return array.Type is null ? [] :
        [
            new WaitTarget(
                new Resource(ResourceKind.ManagedSignal, array.Address), null, Grade.Derived,
                new Evidence(EvidenceSource.Runtime, "array of wait handles in the frames of WaitHandle.WaitMultiple", array.Address))
            {
                // All of them or any one: up to .NET 9 and in optimised code the frames do not tell, so nobody in particular is said to have to act.
                Description = new ResourceDescription(string.Create(CultureInfo.InvariantCulture, $"{array.AsArray().Length} wait handles"), null),
                IsAny = true,
            },
        ];
    }

    private static WaitTarget Target(ClrObject handle, string why)
    {
        string name = TypeNames.Short(handle.Type) ?? "wait handle";
        ResourceKind kind = TaskTypes.DerivesFrom(handle.Type!, "System.Threading.Mutex") ? ResourceKind.Mutex : ResourceKind.ManagedSignal;
        return new WaitTarget(new Resource(kind, handle.Address), null, Grade.Derived, new Evidence(EvidenceSource.Runtime, why, handle.Address))
        {
            Description = new ResourceDescription(name, null),
        };
    }

    private static bool IsWaitHandle(ClrObject target) => target.Type is { } type && TaskTypes.DerivesFrom(type, WaitHandle);

    /// <summary>The managed object of a safe handle, near the thread or near the safe handle.</summary>
    private static ClrObject Managed(ManagedThread thread, ClrObject safeHandle)
    {
        if (safeHandle.Type is null)
        {
            return default;
        }

        ClrObject near = NearObjects.Of(thread).FirstOrDefault(o => RefersTo(o, safeHandle));
        return near.Type is not null ? near : MadeBefore(safeHandle);
    }

    private static bool RefersTo(ClrObject candidate, ClrObject safeHandle) => IsWaitHandle(candidate)
        && candidate.TryReadObjectField("_waitHandle", out ClrObject held) && held.Address == safeHandle.Address;

    /// <summary>
    /// The managed object among those in front of its safe handle. Optimised code keeps no reference to it, but it was made just before its safe handle, and
    /// the collector keeps the order of objects; its field proves which one it is.
    /// </summary>
    private static ClrObject MadeBefore(ClrObject safeHandle)
    {
        ClrHeap heap = safeHandle.Type!.Heap;
        int offset = heap.Runtime.BaseClassLibrary?.GetTypeByName(WaitHandle)?.GetFieldByName("_waitHandle")?.Offset ?? -1;
        byte[] bytes = new byte[MostBytesBefore];
        ulong start = safeHandle.Address - (ulong)bytes.Length;
        if (offset < 0 || heap.Runtime.DataTarget.DataReader.Read(start, bytes) != bytes.Length)
        {
            return default;
        }

        for (int at = bytes.Length - sizeof(ulong); at >= offset + sizeof(ulong); at -= sizeof(ulong))
        {
            if (BinaryPrimitives.ReadUInt64LittleEndian(bytes.AsSpan(at)) == safeHandle.Address)
            {
                ClrObject candidate = heap.GetObject(start + (ulong)(at - offset - sizeof(ulong)));
                if (candidate.IsValid && RefersTo(candidate, safeHandle))
                {
                    return candidate;
                }
            }
        }

        return default;
    }

    private static ClrObject Array(ManagedThread thread, WaitCall wait) =>
        thread.Roots.Select(r => r.Object).FirstOrDefault(o => o is { IsArray: true, Type.Name: "System.Threading.WaitHandle[]" }) is { Type: not null } handles
            ? handles
            : wait.Objects(thread).FirstOrDefault(o => o is { IsArray: true, Type.Name: SafeHandle + "[]" });

    private static IEnumerable<ClrObject> Handles(ManagedThread thread, WaitCall wait)
    {
        ClrObject array = Array(thread, wait);
        return array.Type is null
            ? []
            : array.EnumerateReferences(carefully: true).Select(o => IsWaitHandle(o) ? o : Managed(thread, o)).Where(o => o.Type is not null);
    }
}
