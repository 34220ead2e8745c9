using Dump.Clr.Frames;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Locks;

/// <summary>Threads of the runtime by their several ids.</summary>
internal sealed class ManagedThreads
{
    private readonly Dictionary<ulong, ClrThread> _byAddress;
    private readonly Dictionary<int, ClrThread> _byManagedId;
    private readonly Dictionary<uint, ClrThread> _byId;
    private readonly IReadOnlySet<uint> _systemIds;
    private readonly Lazy<IReadOnlyCollection<ulong>> _records;
    private readonly Lazy<bool> _isWhole;

    /// <summary>Indexes the runtime's threads by address and by both kinds of id.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="objects">The thread objects, which show whether the list of threads is whole.</param>
    /// <param name="systemIds">Ids of the threads that the operating system lists.</param>
    public ManagedThreads(ClrRuntime runtime, ManagedThreadObjects objects, IReadOnlySet<uint> systemIds)
    {
        _byAddress = runtime.Threads.GroupBy(t => t.Address).ToDictionary(g => g.Key, g => g.First());
        _byManagedId = runtime.Threads.GroupBy(t => t.ManagedThreadId).ToDictionary(g => g.Key, g => g.First());
        _byId = runtime.Threads.Where(t => t.OSThreadId != 0).GroupBy(t => t.OSThreadId).ToDictionary(g => g.Key, g => g.First());
        _systemIds = systemIds;
        _records = new Lazy<IReadOnlyCollection<ulong>>(objects.Records);
        _isWhole = new Lazy<bool>(() => OwnerFates.IsWhole(_byAddress.Keys.ToHashSet(), _records.Value));
    }

    /// <summary>Every live thread of the runtime.</summary>
    public IEnumerable<ClrThread> Live => _byId.Values.OrderBy(t => t.ManagedThreadId);

    /// <summary>How many ids of owners were looked up of which it is not known whether the thread has ended.</summary>
    public int UnknownOwners { get; private set; }

    /// <summary>How many threads have an object that names a record which the list does not have: it breaks off in this dump.</summary>
    public int Lost => _records.Value.Count(r => r != 0 && !_byAddress.ContainsKey(r));

    public ClrThread? AtAddress(ulong address) => _byAddress.GetValueOrDefault(address);

    public ClrThread? WithManagedId(int id) => _byManagedId.GetValueOrDefault(id);

    public ClrThread? WithId(uint id) => _byId.GetValueOrDefault(id);

    /// <summary>What has become of the thread with a managed id that a lock stores.</summary>
    public OwnerFate FateOf(int managedId) => Count(OwnerFates.Of(
        WithManagedId(managedId) is not null, WithManagedId(managedId) is { OSThreadId: not 0 }, systemListsIt: false, () => _isWhole.Value));

    /// <summary>
    /// What has become of the thread with an id of the operating system that a lock stores. One that the
    /// system lists and the runtime does not is no thread of the runtime, or its record is lost.
    /// </summary>
    public OwnerFate FateOf(uint id) => Count(OwnerFates.Of(WithId(id) is not null, WithId(id) is not null, _systemIds.Contains(id), () => _isWhole.Value));

    /// <summary>True when no thread has this id of the operating system: neither does the system list one, nor the runtime, whose list is whole.</summary>
    public bool HasEnded(uint id) =>
        OwnerFates.Of(WithId(id) is not null, WithId(id) is not null, _systemIds.Contains(id), () => _isWhole.Value) == OwnerFate.Ended;

    /// <summary>Counts an owner of which a lock records no more than that there is one.</summary>
    /// <returns>Null.</returns>
    public T? Unlisted<T>()
        where T : class
    {
        UnknownOwners++;
        return null;
    }

    private OwnerFate Count(OwnerFate fate)
    {
        UnknownOwners += fate == OwnerFate.Unknown ? 1 : 0;
        return fate;
    }
}
