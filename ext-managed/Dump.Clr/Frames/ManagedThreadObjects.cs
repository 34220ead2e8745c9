using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>
/// The <c>Thread</c> object of a thread: the thread static <c>Thread.t_currentThread</c>, and where a thread never asked for it (.NET fills it on first use) the runtime's own handle to
/// the object. Neither needs a walk over the heap.
/// </summary>
internal sealed class ManagedThreadObjects
{
    private const int MostHandles = 1_000_000;
    private readonly ClrThreadStaticField? _current;
    private readonly Lazy<Dictionary<int, ClrObject>> _byManagedId;

    public ManagedThreadObjects(ClrRuntime runtime)
    {
        _current = runtime.BaseClassLibrary?.GetTypeByName("System.Threading.Thread")?.ThreadStaticFields.FirstOrDefault(f => f.Name == "t_currentThread");
        _byManagedId = new Lazy<Dictionary<int, ClrObject>>(() => ReadHandles(runtime));
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

    private static Dictionary<int, ClrObject> ReadHandles(ClrRuntime runtime)
    {
        Dictionary<int, ClrObject> threads = [];
        foreach (ClrHandle handle in runtime.EnumerateHandles().Take(MostHandles))
        {
            if (handle.Object is { IsNull: false, IsValid: true, Type.Name: "System.Threading.Thread" } thread && thread.TryReadField("_managedThreadId", out int id) && id > 0)
            {
                threads.TryAdd(id, thread);
            }
        }

        return threads;
    }
}
