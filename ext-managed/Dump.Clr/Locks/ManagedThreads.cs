using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Locks;

/// <summary>Threads of the runtime by their several ids.</summary>
internal sealed class ManagedThreads(ClrRuntime runtime)
{
    private readonly Dictionary<ulong, ClrThread> _byAddress = runtime.Threads.GroupBy(t => t.Address).ToDictionary(g => g.Key, g => g.First());
    private readonly Dictionary<int, ClrThread> _byManagedId = runtime.Threads.GroupBy(t => t.ManagedThreadId).ToDictionary(g => g.Key, g => g.First());
    private readonly Dictionary<uint, ClrThread> _byId = runtime.Threads.Where(t => t.OSThreadId != 0).GroupBy(t => t.OSThreadId).ToDictionary(g => g.Key, g => g.First());

    public ClrThread? AtAddress(ulong address) => _byAddress.GetValueOrDefault(address);

    public ClrThread? WithManagedId(int id) => _byManagedId.GetValueOrDefault(id);

    public ClrThread? WithId(uint id) => _byId.GetValueOrDefault(id);

    /// <summary>Every live thread of the runtime.</summary>
    public IEnumerable<ClrThread> Live => _byId.Values.OrderBy(t => t.ManagedThreadId);
}
