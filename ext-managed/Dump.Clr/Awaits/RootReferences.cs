using Dump.Clr.Frames;
using Dump.Readers;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Awaits;

/// <summary>References into the heap from outside of it, read through the runtime.</summary>
internal sealed class RootReferences(ClrRuntime runtime, IMemory memory, IReadOnlyCollection<ManagedThread> threads) : IRootReferences
{
    private const int MostHandles = 1_000_000;

    /// <summary>A stack of so many methods refers to something, or could not be read.</summary>
    private const int LeastFrames = 4;
    private const string MonitorCondition = "System.Threading.Condition";
    private readonly Lazy<ClrHandle[]> _handles = new(() => [.. runtime.EnumerateHandles().Take(MostHandles + 1)]);

    /// <inheritdoc/>
    public HandleReferences Handles
    {
        get
        {
            ILookup<bool, ClrHandle> dependent = _handles.Value.Where(h => h.HandleKind == ClrHandleKind.Dependent)
                .ToLookup(h => h.Dependent.Type?.Name == MonitorCondition);
            return new HandleReferences(
                [
                    .. _handles.Value.Where(h => h.IsStrong).Select(h => h.Object.Address),
                    .. dependent[false].SelectMany(h => (ulong[])[h.Object.Address, h.Dependent.Address]),
                    .. runtime.Heap.EnumerateFinalizableObjects().Take(MostHandles).Where(o => IsOfProgram(o.Type?.Name)).Select(o => o.Address),
                ],
                _handles.Value.Where(h => h is { IsStrong: false, HandleKind: not ClrHandleKind.Dependent })
                    .DistinctBy(h => h.Address).ToDictionary(h => h.Address, h => h.Object.Address),
                dependent[true].ToLookup(h => h.Object.Address, h => h.Dependent.Address),
                runtime.Heap.Segments.Where(s => s.Kind == GCSegmentKind.Frozen).Select(s => s.ObjectRange.Start).ToHashSet());
        }
    }

    /// <inheritdoc/>
    public bool AreKnown => _handles.Value.Length <= MostHandles
        && !threads.Any(t => t.HasUnreadObjects || t.IsWalkBroken || t.HasTooManyObjects || (t.Code.Count >= LeastFrames && t.Roots.Count + t.Interiors.Count == 0));

    /// <inheritdoc/>
    public IEnumerable<ulong> Words(IReadOnlySet<uint> without) =>
        OutsideReferences.StackWords(memory, threads.Where(t => !without.Contains(t.Id)))
            .Concat(_handles.Value.SelectMany(h => (ulong[])[h.Object.Address, h.Dependent.Address]));

    /// <inheritdoc/>
    public IEnumerable<ulong> Held(HashSet<uint> without) =>
        Exact(without).Concat(OutsideReferences.StackWords(memory, threads.Where(t => !without.Contains(t.Id) && t.Thread.GCMode == GCMode.Cooperative)));

    /// <inheritdoc/>
    public IEnumerable<ulong> Exact(IReadOnlySet<uint> without) =>
        threads.Where(t => !without.Contains(t.Id))
            .SelectMany(t => t.Roots.Concat(t.Interiors).Select(r => r.Object.Address)
                .Concat(t.Thread.GCMode == GCMode.Cooperative ? RegisterObjects.Of(t.Thread).Select(o => o.Address) : []));

    /// <inheritdoc/>
    public IEnumerable<(uint Thread, ulong Object)> Having(IReadOnlySet<ulong> objects, IReadOnlySet<uint> without) =>
        from thread in threads
        where !without.Contains(thread.Id) && OutsideReferences.StackWords(memory, [thread]).Any(objects.Contains)
        from root in thread.Roots
        where objects.Contains(root.Object.Address)
        select (thread.Id, root.Object.Address);

    /// <summary>Finalizers of the class library release what is the system's, and set nothing.</summary>
    private static bool IsOfProgram(string? type) => type is null
        || !(type.StartsWith("System.", StringComparison.Ordinal) || type.StartsWith("Microsoft.", StringComparison.Ordinal));
}
