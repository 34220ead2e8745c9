using Dump.Readers.ElfCore;

namespace Dump.Readers.Linux.Locks;

/// <summary>
/// The descriptors that glibc keeps of its threads (<c>struct pthread</c>), to which FS points in each. They hold the thread's id as the process itself knows
/// it: in a container that is not the id which a writer outside of it has put into the core.
/// </summary>
internal sealed class ThreadDescriptors
{
    private readonly ulong[] _addresses;
    private readonly ElfThread[] _threads;
    private readonly Dictionary<uint, ElfThread> _byOwnId = [];
    private readonly HashSet<ElfThread> _described = [];

    /// <summary>Reads those of all threads whose registers are known.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="threads">All its threads.</param>
    public ThreadDescriptors(IMemory memory, IReadOnlyList<ElfThread> threads)
    {
        _threads = [.. threads.Where(t => t.ThreadPointer is not (null or 0)).OrderBy(t => t.ThreadPointer)];
        _addresses = [.. _threads.Select(t => t.ThreadPointer!.Value)];
        foreach (ElfThread thread in _threads)
        {
            ulong at = thread.ThreadPointer!.Value;
            if (memory.ReadUInt64(at) == at && memory.ReadUInt64(at + PthreadLayout.DescriptorSelf) == at
                && memory.ReadUInt32(at + PthreadLayout.DescriptorThreadId) is { } id and not 0 && _byOwnId.TryAdd(id, thread))
            {
                _described.Add(thread);
            }
        }

        AreComplete = _described.Count == threads.Count;
    }

    /// <summary>True when all threads of the process have one, so that an id which none of them has belongs to no living thread.</summary>
    public bool AreComplete { get; }

    /// <summary>True for a thread of glibc.</summary>
    public bool Describe(ElfThread thread) => _described.Contains(thread);

    /// <summary>The thread with an id as the process itself knows it, or null.</summary>
    public ElfThread? WithOwnId(uint id) => _byOwnId.GetValueOrDefault(id);

    /// <summary>The thread whose descriptor stands at an address, or null.</summary>
    public ElfThread? At(ulong address) => Array.BinarySearch(_addresses, address) is >= 0 and var index && Describe(_threads[index]) ? _threads[index] : null;

    /// <summary>
    /// The thread that another one joins: what is waited for is the word in its descriptor that has its own id, which the kernel clears when it ends
    /// (<c>pthread_join</c>; set_tid_address(2)). Null when the wait is for something else.
    /// </summary>
    public ElfThread? JoinedBy(FutexWait wait) =>
        At(unchecked(wait.Word - PthreadLayout.DescriptorThreadId)) is { } joined && WithOwnId(wait.Expected) == joined ? joined : null;
}
