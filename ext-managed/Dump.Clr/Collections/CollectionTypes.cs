using System.Collections.Concurrent;
using Dump.Clr.Heap;
using Dump.Model.Collections;
using Dump.Model.Text;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Collections;

/// <summary>
/// Tells which types are collections that can be checked, classes derived from them included, and makes their
/// layouts. Asks the runtime once for each type. Safe for concurrent use.
/// </summary>
/// <param name="runtime">The runtime.</param>
/// <param name="onFault">Called for each type on which the data-access library fails; null where nobody asks.</param>
internal sealed class CollectionTypes(ClrRuntime runtime, Action? onFault = null) : IHeapTypes
{
    private const int LongestName = 512;
    private const int MostBaseTypes = 64;
    private const string Generic = "System.Collections.Generic.";
    private readonly ConcurrentDictionary<ulong, CollectionLayout?> _layouts = [];
    private readonly ConcurrentDictionary<ulong, TreeNodeLayout?> _nodes = [];
    private readonly Lock _runtimeLock = new();

    /// <inheritdoc/>
    public ulong FreeMethodTable { get; } = runtime.Heap.FreeType.MethodTable;

    /// <inheritdoc/>
    public bool TryResolve(ulong methodTable, out object? tag)
    {
        tag = null;
        lock (_runtimeLock)
        {
            try
            {
                if (runtime.GetTypeByMethodTable(methodTable) is not { } type)
                {
                    return false;
                }

                tag = LayoutOf(type) is { StandsAlone: true } layout ? layout : null;
                return true;
            }
            catch (Exception error) when (error is not OutOfMemoryException)
            {
                // The library documents no exceptions for damaged method tables; such a type is none.
                onFault?.Invoke();
                return false;
            }
        }
    }

    /// <summary>The layout of a type, or null when it is no collection that is known.</summary>
    public CollectionLayout? LayoutOf(ClrType type) => _layouts.GetOrAdd(type.MethodTable, _ => Make(type));

    /// <summary>The layout of a collection that is known by a node of this type alone, or null for any other type.</summary>
    public TreeNodeLayout? NodeLayoutOf(ClrType type) => _nodes.GetOrAdd(
        type.MethodTable, _ => type.Name is { } name ? TreeNodeLayout.Of(SafeText.Clean(name, LongestName), runtime, _runtimeLock) : null);

    private CollectionLayout? Make(ClrType type)
    {
        // A view of a sorted set keeps a root and a count of its own that are brought up to date only when it is used.
        if (type.Name is not { } fullName || fullName.Contains("+TreeSubSet", StringComparison.Ordinal) || type.IsArray || type.IsValueType)
        {
            return null;
        }

        ClrType? known = type;
        for (int i = 0; known is not null && CollectionKinds.OfType(known.Name) is null && i < MostBaseTypes; i++)
        {
            known = known.BaseType;
        }

        string name = SafeText.Clean(fullName, LongestName);
        bool standsAlone = known?.Name?.StartsWith(Generic + "TreeSet<", StringComparison.Ordinal) != true;
        return CollectionKinds.OfType(known?.Name) switch
        {
            CollectionKind.Hashtable => ProbedTableLayout.Of(name, type),
            CollectionKind.SortedSet => TreeLayout.OfSet(name, type, standsAlone, _runtimeLock),
            CollectionKind.SortedDictionary => TreeLayout.OfDictionary(name, type, _runtimeLock),
            CollectionKind.LinkedList => RingLayout.Of(name, type, _runtimeLock),
            { } kind when CollectionKinds.Of(kind).Shape == CollectionShape.Chains => ChainedTableLayout.Of(kind, name, type, _runtimeLock),
            _ => null,
        };
    }
}
