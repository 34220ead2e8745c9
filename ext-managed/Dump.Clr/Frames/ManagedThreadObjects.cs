using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>
/// The <c>Thread</c> object of a thread: the thread static <c>Thread.t_currentThread</c>, and where a thread never asked for it (.NET fills it on first use)
/// the runtime's own handle to the object. Neither needs a walk over the heap.
/// </summary>
internal sealed class ManagedThreadObjects
{
    private const int MostHandles = 1_000_000;
    private readonly ClrThreadStaticField? _current;
    private readonly Lazy<IReadOnlyList<ClrObject>> _held;
    private readonly Lazy<Dictionary<int, ClrObject>> _byManagedId;

    public ManagedThreadObjects(ClrRuntime runtime)
    {
        _current = runtime.BaseClassLibrary?.GetTypeByName("System.Threading.Thread")?.ThreadStaticFields.FirstOrDefault(f => f.Name == "t_currentThread");
        _held = new Lazy<IReadOnlyList<ClrObject>>(() => ReadHandles(runtime));
        _byManagedId = new Lazy<Dictionary<int, ClrObject>>(() => ById(_held.Value));
    }

    /// <summary>The object, or null when it cannot be found.</summary>
    public ClrObject? Of(ClrThread thread)
    {
        if (_current is not null && _current.IsInitialized(thread) && _current.ReadObject(thread) is { IsNull: false, IsValid: true } target)
        {
            return target;
        }

        return _byManagedId.Value.TryGetValue(thread.ManagedThreadId, out ClrObject held) ? held : null;
    }

    /// <summary>Addresses of the runtime's records that the objects name (<c>Thread._DONT_USE_InternalThread</c>); 0 where an object names none.</summary>
    public IReadOnlyCollection<ulong> Records() =>
        [.. _held.Value.Select(t => t.TryReadField("_DONT_USE_InternalThread", out ulong record) ? record : 0).Distinct()];

    /// <summary>
    /// The threads whose end sets one of several events: from .NET 11 on <c>Thread.Join</c> waits for the event <c>Thread._joinEvent</c>, and its frames keep
    /// nothing else of the thread (seen in 11.0.0 on Linux).
    /// </summary>
    /// <param name="events">Addresses of the events' safe handles.</param>
    public IEnumerable<ClrObject> EndedBy(IEnumerable<ulong> events)
    {
        HashSet<ulong> wanted = [.. events];
        return wanted.Count == 0 ? []
            : _held.Value.Where(t => t.TryReadObjectField("_joinEvent", out ClrObject set) && set is { IsNull: false, IsValid: true }
                && set.TryReadObjectField("_waitHandle", out ClrObject handle) && wanted.Contains(handle.Address)).DistinctBy(t => t.Address);
    }

    private static IReadOnlyList<ClrObject> ReadHandles(ClrRuntime runtime) =>
        [.. runtime.EnumerateHandles().Take(MostHandles).Select(h => h.Object)
            .Where(o => o is { IsNull: false, IsValid: true, Type.Name: "System.Threading.Thread" })];

    private static Dictionary<int, ClrObject> ById(IReadOnlyList<ClrObject> objects)
    {
        Dictionary<int, ClrObject> threads = [];
        foreach (ClrObject thread in objects)
        {
            if (thread.TryReadField("_managedThreadId", out int id) && id > 0)
            {
                threads.TryAdd(id, thread);
            }
        }

        return threads;
    }
}
