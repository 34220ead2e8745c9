using Dump.Clr.Frames;
using Dump.Readers;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Awaits;

/// <summary>References into the heap from outside of it, read through the runtime.</summary>
internal sealed class RootReferences(ClrRuntime runtime, IMemory memory, IReadOnlyCollection<ManagedThread> threads) : IRootReferences
{
    private const int MostHandles = 1_000_000;
    private readonly Lazy<HashSet<ulong>> _handles = new(() =>
    [
        .. runtime.EnumerateHandles().Take(MostHandles).SelectMany(h => (ulong[])[h.Object.Address, h.Dependent.Address]),
    ]);

    /// <inheritdoc/>
    public IEnumerable<ulong> Words(IReadOnlySet<uint> without) =>
        OutsideReferences.StackWords(memory, threads.Where(t => !without.Contains(t.Id))).Concat(_handles.Value);

    /// <inheritdoc/>
    public IEnumerable<ulong> Exact(IReadOnlySet<uint> without) =>
        threads.Where(t => !without.Contains(t.Id)).SelectMany(t => t.Roots).Select(r => r.Object.Address);

    /// <inheritdoc/>
    public IEnumerable<(uint Thread, ulong Object)> Having(IReadOnlySet<ulong> objects, IReadOnlySet<uint> without) =>
        from thread in threads
        where !without.Contains(thread.Id) && OutsideReferences.StackWords(memory, [thread]).Any(objects.Contains)
        from root in thread.Roots
        where objects.Contains(root.Object.Address)
        select (thread.Id, root.Object.Address);
}
