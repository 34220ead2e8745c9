using Dump.Readers.ElfCore;

namespace Dump.Readers.Linux.Locks;

/// <summary>
/// The descriptors that the C library keeps of its threads (<c>struct pthread</c>), to which each thread's pointer leads. They hold the thread's id as the
/// process itself knows it: in a container that is not the id which a writer outside of it has put into the core. Those of musl on ARM64 are not known.
/// </summary>
internal sealed class ThreadDescriptors
{
    // The kernel gives none above (include/linux/threads.h, PID_MAX_LIMIT).
    private const uint MostIds = 1 << 22;
    private readonly ulong[] _addresses;
    private readonly ElfThread[] _threads;
    private readonly Dictionary<uint, ElfThread> _byOwnId = [];
    private readonly Dictionary<ElfThread, CLibrary> _described = [];
    private readonly IMemory _memory;
    private readonly int _all;

    // Of a descriptor that ends where the thread's pointer leads; 0 for one that begins there.
    private readonly ulong _size;

    /// <summary>Reads those of all threads whose registers are known.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="threads">All its threads.</param>
    public ThreadDescriptors(IMemory memory, IReadOnlyList<ElfThread> threads)
    {
        _memory = memory;
        _all = threads.Count;
        _threads = [.. threads.Where(t => t.ThreadPointer is not (null or 0)).OrderBy(t => t.ThreadPointer)];
        _size = _threads.Length > 0 && _threads.All(t => t.Machine == LinuxMachine.Arm64) ? SizeBefore(_threads) : 0;
        _addresses = [.. _threads.Select(t => t.ThreadPointer!.Value - _size)];
        foreach ((ElfThread thread, ulong at) in _threads.Zip(_addresses))
        {
            CLibrary library = thread.Machine == LinuxMachine.Arm64 ? (_size == 0 ? CLibrary.Unknown : CLibrary.Glibc) : LibraryAt(at);
            int place = library == CLibrary.Musl ? MuslLayout.DescriptorThreadId : PthreadLayout.DescriptorThreadId(thread.Machine);
            if (library != CLibrary.Unknown && memory.ReadUInt32(at + (ulong)place) is { } id and not 0 && _byOwnId.TryAdd(id, thread))
            {
                _described.Add(thread, library);
            }
        }

        AreComplete = _described.Count == threads.Count;
    }

    /// <summary>True when all threads of the process have one, so that an id which none of them has belongs to no living thread.</summary>
    public bool AreComplete { get; }

    /// <summary>
    /// True for a process whose one thread has the descriptor of another: a child of <c>vfork</c>, or of <c>clone</c> with CLONE_VM, runs in the memory of its
    /// parent, whose threads hold and release what is in it.
    /// </summary>
    public bool MemoryIsOfAnother => _all == 1 && _described.Count == 1 && _byOwnId.First() is var (id, thread) && id != thread.Id;

    /// <summary>The library whose descriptor a thread has.</summary>
    public CLibrary LibraryOf(ElfThread thread) => _described.GetValueOrDefault(thread);

    /// <summary>Address of a thread's descriptor, or null where it has none.</summary>
    public ulong? AddressOf(ElfThread thread) => _described.ContainsKey(thread) ? thread.ThreadPointer - _size : null;

    /// <summary>Size of a descriptor in bytes.</summary>
    public ulong Size => _size == 0 ? PthreadLayout.DescriptorSize : _size;

    /// <summary>Threads by their ids as the process itself knows them.</summary>
    public IReadOnlyDictionary<uint, ElfThread> ByOwnId => _byOwnId;

    /// <summary>The thread with an id as the process itself knows it, or null.</summary>
    public ElfThread? WithOwnId(uint id) => _byOwnId.GetValueOrDefault(id);

    /// <summary>The thread whose descriptor stands at an address, or null.</summary>
    public ElfThread? At(ulong address) => Array.BinarySearch(_addresses, address) is >= 0 and var index && _described.ContainsKey(_threads[index])
        ? _threads[index] : null;

    /// <summary>
    /// The thread that another one joins: what is waited for is the word in its descriptor that has its own id, which the kernel clears when it ends
    /// (<c>pthread_join</c>; set_tid_address(2)). Null when the wait is for something else.
    /// </summary>
    public ElfThread? JoinedBy(FutexWait wait) =>
        At(unchecked(wait.Word - (ulong)PthreadLayout.DescriptorThreadId(wait.Thread.Machine))) is { } joined && WithOwnId(wait.Expected) == joined ? joined : null;

    /// <summary>The same of musl, where the word that is waited for says that the thread can be joined (<c>detach_state</c>).</summary>
    public ElfThread? JoinedByMusl(FutexWait wait) =>
        wait is { LocksInKernel: false, Expected: MuslLayout.Joinable } && _memory.ReadUInt32(wait.Word) == MuslLayout.Joinable
            && At(unchecked(wait.Word - MuslLayout.DescriptorDetachState)) is { } joined && LibraryOf(joined) == CLibrary.Musl ? joined : null;

    /// <summary>
    /// The size of a descriptor that ends where the pointer of its thread leads: the only one by which each thread has an id, and behind it the head of its list
    /// of robust mutexes. 0 where there is none, or more than one.
    /// </summary>
    private ulong SizeBefore(ElfThread[] threads)
    {
        ulong found = 0;
        int id = PthreadLayout.DescriptorThreadId(LinuxMachine.Arm64);
        for (int size = PthreadLayout.LeastDescriptorSize; size <= PthreadLayout.MostDescriptorSize; size += PthreadLayout.DescriptorAlignment)
        {
            if (threads.All(t => IsDescriptorId(unchecked(t.ThreadPointer!.Value - (ulong)size + (ulong)id))))
            {
                if (found != 0)
                {
                    return 0;
                }

                found = (ulong)size;
            }
        }

        return found;
    }

    private bool IsDescriptorId(ulong at) =>
        _memory.ReadUInt64(at + PthreadLayout.RobustOffset) == unchecked((ulong)PthreadLayout.RobustOffsetValue)
            && _memory.ReadUInt32(at) is > 0 and < MostIds
            && IsLink(at + PthreadLayout.RobustPrevious) && IsLink(at + PthreadLayout.RobustHead);

    /// <summary>The list is a ring, whose links may have a flag in the lowest bit (nptl/pthreadP.h).</summary>
    private bool IsLink(ulong at) => _memory.ReadUInt64(at) is { } next and not 0 && _memory.ReadUInt64(next & ~1UL) is not null;

    /// <summary>
    /// Both begin with their own address. glibc's have it once more where musl's have the thread before them in the ring of all threads; a single thread is its
    /// own neighbour, so that the ring is looked at first.
    /// </summary>
    private CLibrary LibraryAt(ulong at) => _memory.ReadUInt64(at) != at ? CLibrary.Unknown
        : _memory.ReadUInt64(at + MuslLayout.DescriptorPrevious) is { } before && _memory.ReadUInt64(at + MuslLayout.DescriptorNext) is { } behind
            && _memory.ReadUInt64(unchecked(before + MuslLayout.DescriptorNext)) == at
            && _memory.ReadUInt64(unchecked(behind + MuslLayout.DescriptorPrevious)) == at
            && _memory.ReadUInt64(before) == before && _memory.ReadUInt64(behind) == behind
            && _memory.ReadUInt32(at + MuslLayout.DescriptorDetachState) <= MuslLayout.MostDetachState ? CLibrary.Musl
        : _memory.ReadUInt64(at + PthreadLayout.DescriptorSelf) == at ? CLibrary.Glibc
        : CLibrary.Unknown;
}

/// <summary>The C libraries of Linux whose threads and locks are known.</summary>
internal enum CLibrary
{
    /// <summary>None of them.</summary>
    Unknown,

    /// <summary>The GNU C library.</summary>
    Glibc,

    /// <summary>musl, of Alpine Linux and of static programs.</summary>
    Musl,
}
