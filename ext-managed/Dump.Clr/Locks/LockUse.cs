using Dump.Clr.Frames;
using Dump.Model.Facts;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Locks;

/// <summary>
/// Whether a thread uses a lock, by its stack. The runtime gives the managed id of an ended thread to a new one, so a lock that stores such an id and whose
/// owner ended without releasing it seems to be held by a thread that has never seen it. An owner that has the lock, or an object with it, on its stack, or
/// runs code of a class with the lock in a static field, is no such stranger.
/// </summary>
internal sealed class LockUse(ClrHeap heap, IReadOnlyDictionary<uint, ManagedThread> stacks)
{
    private const string TypeObject = "System.RuntimeType";
    private const int MostFar = 2_048;
    private const int MostClasses = 64;
    private const int MostFields = 256;
    private readonly Dictionary<uint, ClrObject[]> _near = [];

    /// <summary>An owner with the grade that the witness of its stack allows; an ended owner needs none.</summary>
    /// <param name="owner">The owner by its managed id.</param>
    /// <param name="address">Address of the lock.</param>
    /// <param name="isLockStatement">
    /// True for a lock that programs enter by the lock statement, which keeps a reference until it has left the lock. One that is entered and left by calls
    /// may have none left in optimised code, so that its absence says less.
    /// </param>
    public LockOwner Judge(LockOwner owner, ulong address, bool isLockStatement)
    {
        if (owner.ThreadId is not { } id)
        {
            return owner;
        }

        ManagedThread? thread = stacks.GetValueOrDefault(id);
        if (thread is not null && (Has(thread, address) || KeepsInStaticField(thread, address) || IsTypeOfItsCode(thread, address)))
        {
            return owner;
        }

        // Code that reaches the lock anew through another object each time leaves no more than that object; one that never uses the lock may have it too.
        if (thread is not null && Near(thread).Any(o => Contains(o, address)))
        {
            return owner with { Grade = Grade.Derived };
        }

        bool maySayNothing = !isLockStatement || thread is null || IsUnknown(thread) || MayLeaveNoReference(address) || RefersFar(thread, address);
        return owner with { Grade = maySayNothing ? Grade.Derived : Grade.Suspected, IsByIdAlone = true };
    }

    /// <summary>True when an object on the stack is the lock or contains it.</summary>
    private static bool Has(ManagedThread thread, ulong address) =>
        thread.Roots.Any(r => Contains(r.Object, address)) || thread.Interiors.Any(r => Contains(r.Object, address))
        || thread.InRegisters.Any(o => Contains(o, address));

    /// <summary>True when one more reference leads to it: a lock that its user reaches through another object, as in <c>_cache.Lock</c>.</summary>
    private bool RefersFar(ManagedThread thread, ulong address) =>
        Near(thread).Where(o => !NearObjects.IsClosure(o)).SelectMany(o => o.EnumerateReferences(carefully: true)).Take(MostFar)
            .Any(o => Contains(o, address));

    /// <summary>
    /// The objects near a thread, read once for all of its locks. What closures refer to is not: all lambda expressions of a method share one, so that each has
    /// the locks of the others.
    /// </summary>
    private ClrObject[] Near(ManagedThread thread)
    {
        if (!_near.TryGetValue(thread.Id, out ClrObject[]? near))
        {
            near = [.. NearObjects.Of(thread, throughClosures: false).DistinctBy(o => o.Address)];
            _near.Add(thread.Id, near);
        }

        return near;
    }

    /// <summary>True when a class whose code is on the stack, or the one around it, has the lock in a static field.</summary>
    private static bool KeepsInStaticField(ManagedThread thread, ulong address) =>
        Classes(thread).SelectMany(t => (ClrType?[])[t, Around(t)]).OfType<ClrType>()
            .SelectMany(t => t.StaticFields.Take(MostFields))
            .Any(f => Keeps(f, address));

    /// <summary>True for the type of a class whose code is on the stack: what its static synchronized methods lock.</summary>
    private bool IsTypeOfItsCode(ManagedThread thread, ulong address) =>
        heap.GetObject(address) is { Type.Name: TypeObject } type && type.TryReadField("m_handle", out ulong handle)
        && Classes(thread).Any(t => t.MethodTable == handle);

    private static IEnumerable<ClrType> Classes(ManagedThread thread) =>
        thread.Code.Where(f => !f.IsCoreLibrary).Select(f => f.Method?.Type).OfType<ClrType>().DistinctBy(t => t.MethodTable).Take(MostClasses);

    /// <summary>The class in which the compiler made a class for a lambda expression, or null.</summary>
    private static ClrType? Around(ClrType type) =>
        type.Name?.IndexOf("+<", StringComparison.Ordinal) is > 0 and var end ? type.Module.GetTypeByName(type.Name[..end]) : null;

    private static bool Keeps(ClrStaticField field, ulong address)
    {
        ClrAppDomain? domain = field.ContainingType.Module.AppDomain;
        return domain is not null && field.IsInitialized(domain)
            && (field.IsObjectReference ? field.ReadObject(domain).Address == address : field.GetAddress(domain) == address);
    }

    /// <summary>True when the stack is not known in full, or the objects of the method that the thread executes are not.</summary>
    private static bool IsUnknown(ManagedThread thread) => thread.HasUnreadObjects || thread.ExecutesManagedCode;

    /// <summary>
    /// True for a lock that optimised code names without a reference on the stack: an object that never moves (since .NET 8 those of <c>static readonly</c>
    /// fields), a type, a literal, and a lock outside of the heap.
    /// </summary>
    private bool MayLeaveNoReference(ulong address) =>
        heap.GetSegmentByAddress(address) is not { } segment || segment.Kind == GCSegmentKind.Frozen
        || heap.GetObject(address).Type?.Name is TypeObject or "System.String";

    private static bool Contains(ClrObject candidate, ulong address) =>
        candidate.Address == address || (candidate.Type is not null && address > candidate.Address && address - candidate.Address < candidate.Size);
}
