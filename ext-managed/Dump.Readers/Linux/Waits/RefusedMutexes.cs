using System.Buffers.Binary;
using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Locks;
using static System.Buffers.Binary.BinaryPrimitives;

namespace Dump.Readers.Linux.Waits;

/// <summary>
/// Threads that want a priority-inheriting mutex which the kernel refuses to let them wait for: the wait would close a cycle, or the owner has ended. glibc
/// (nptl/pthread_mutex_lock.c, "Delay the thread indefinitely") and musl (src/thread/pthread_mutex_timedlock.c, pthread_mutex_timedlock_pi) then let the thread
/// wait for ever for a word of its own stack, and only what its frames keep tells which mutex it was.
/// </summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="locks">What is known of other locks.</param>
/// <param name="functionAt">Name of the function that an address lies in, as its library's symbols have it; null where none does.</param>
internal sealed class RefusedMutexes(IMemory memory, NativeLockFacts locks, Func<ulong, string?> functionAt)
{
    private const string LockFunction = "pthread_mutex_lock";

    // pthread_mutex_lock of musl jumps to it. Programs that are linked statically have its inner name too.
    private static readonly string[] s_functionsOfMusl = ["pthread_mutex_timedlock", "__pthread_mutex_timedlock"];

    // The function's own frame and those of the wait below it have some hundred bytes.
    private const int MostFrameBytes = 2_048;
    private const int MostCandidates = 16;

    // Longer chains the kernel does not follow either (kernel/locking/rtmutex.c, max_lock_depth).
    private const int MostPassed = 1_024;

    private readonly List<(FutexWait Wait, string Where, RefusableMutex[] Mutexes)> _found = [];

    /// <summary>Adds a wait where it is such a one.</summary>
    /// <param name="wait">The wait.</param>
    /// <param name="entry">The function of the library by which its thread came into it; null where its frames do not tell, as those of musl do not.</param>
    /// <param name="frames">The thread's frames.</param>
    /// <returns>True when it is one, whether or not its mutex can be told.</returns>
    public bool Add(FutexWait wait, LibraryEntry? entry, ImmutableArray<StackFrame> frames)
    {
        if (frames.IsEmpty || wait is not { LocksInKernel: false, Expected: 0, Timeout: WaitTimeout.Infinite } || memory.ReadUInt32(wait.Word) != 0)
        {
            return false;
        }

        return entry is null ? AddOfMusl(wait, frames[0].StackPointer)
            : entry is { IsCpp: false, Function: LockFunction } && entry.Index + 1 < frames.Length
                && AddOfGlibc(wait, entry.Index, frames[0].StackPointer, frames[entry.Index + 1].StackPointer);
    }

    private bool AddOfGlibc(FutexWait wait, int frame, ulong start, ulong end)
    {
        if (wait.Word < start || wait.Word >= end || end - start > MostFrameBytes)
        {
            return false;
        }

        Add(wait, $"frame {frame} is {LockFunction} of the C library", Slots(start, end), address => RefusableMutex.OfGlibc(memory, address));
        return true;
    }

    /// <summary>
    /// musl has no tables by which its frames could be walked. The word stands near the start of the frame of the function that locks, and right below that
    /// frame is the address to which the wait returns.
    /// </summary>
    private bool AddOfMusl(FutexWait wait, ulong stack)
    {
        ulong start = stack & ~(sizeof(ulong) - 1UL), word = wait.Word & ~(sizeof(ulong) - 1UL);
        if (word <= start || word - start > MostFrameBytes || locks.Descriptors?.LibraryOf(wait.Thread) != CLibrary.Musl)
        {
            return false;
        }

        ulong[] slots = Slots(start, word + MuslLayout.MostBytesAboveWord);
        string? function = slots.Take((int)((word - start) / sizeof(ulong))).Select(functionAt).FirstOrDefault(f => s_functionsOfMusl.Contains(f));
        if (function is null)
        {
            return false;
        }

        Add(wait, $"the wait returns to {function} of musl", slots, address => RefusableMutex.OfMusl(memory, address));
        return true;
    }

    private void Add(FutexWait wait, string where, ulong[] slots, Func<ulong, RefusableMutex?> mutexAt)
    {
        LinuxMachine machine = wait.Thread.Machine;
        ulong[] kept = wait.Thread.Registers.Count == machine.RegisterCount ? [.. machine.Preserved.Select(r => wait.Thread.Registers[r])] : [];
        _found.Add((wait, where, [.. kept.Concat(slots).Distinct().Select(mutexAt).OfType<RefusableMutex>().Take(MostCandidates + 1)]));
    }

    private ulong[] Slots(ulong start, ulong end)
    {
        byte[] stack = new byte[end - start];
        return memory.TryRead(start, stack)
            ? [.. Enumerable.Range(0, stack.Length / sizeof(ulong)).Select(i => BinaryPrimitives.ReadUInt64LittleEndian(stack.AsSpan(i * sizeof(ulong))))]
            : [];
    }

    /// <summary>The waits whose mutex is the only one that explains the refusal, and the owners of those.</summary>
    public (ImmutableArray<WaitFact> Waits, ImmutableArray<OwnershipFact> Owners) Read()
    {
        List<WaitFact> waits = [];
        Dictionary<ulong, OwnershipFact> owners = [];
        foreach ((FutexWait wait, string where, RefusableMutex[] mutexes) in _found.Where(f => f.Mutexes.Length <= MostCandidates))
        {
            RefusableMutex[] refused = [.. mutexes.Where(m => IsRefused(wait.Thread, m, isOther: true))];
            refused = refused.Length > 0 ? refused : [.. mutexes.Where(m => IsRefused(wait.Thread, m, isOther: false))];
            if (refused is [var mutex])
            {
                Resource resource = new(ResourceKind.PthreadMutex, mutex.Address);
                waits.Add(new WaitFact(wait.Thread.Id, resource, WaitTimeout.Infinite, Grade.Derived,
                    [
                        wait.Call,
                        new Evidence(EvidenceSource.Stack, $"{where}, and waits for a word of its stack", wait.Word),
                        new Evidence(EvidenceSource.Rule, "the kernel refused the wait for the only mutex in these frames that it would refuse", mutex.Address),
                    ]));
                owners.TryAdd(mutex.Address, Owner(resource, mutex));
            }
        }

        return ([.. waits], [.. owners.Values.Where(o => !locks.Ownerships.Any(l => l.Resource == o.Resource))]);
    }

    private OwnershipFact Owner(Resource resource, RefusableMutex mutex)
    {
        if (mutex.Owner is not { } owner)
        {
            return new OwnershipFact(resource, 0, false, null, Grade.Proven,
                [new Evidence(EvidenceSource.Memory, "priority-inheriting mutex: its owner has ended", mutex.Address)]) { OwnerDescription = "a thread" };
        }

        ElfThread? thread = locks.Descriptors!.WithOwnId(owner);
        return new OwnershipFact(resource, thread?.Id ?? owner, thread is not null, null, Grade.Proven,
            [new Evidence(EvidenceSource.Memory, "priority-inheriting mutex: owner in its word", mutex.Address, owner)]);
    }

    /// <summary>
    /// The kernel refuses a wait for one's own mutex, for one whose owner waits for this thread by way of such mutexes alone, and for one whose owner has ended
    /// (futex(2), FUTEX_LOCK_PI: EDEADLK, ESRCH).
    /// </summary>
    private bool IsRefused(ElfThread waiter, RefusableMutex mutex, bool isOther)
    {
        if (mutex.Owner is not { } owner)
        {
            return isOther;
        }

        ElfThread? holder = locks.Descriptors?.WithOwnId(owner);
        if (holder is null)
        {
            return isOther && locks.Descriptors?.AreComplete == true;
        }

        if (holder == waiter)
        {
            return !isOther;
        }

        return isOther && LeadsTo(waiter, holder);
    }

    /// <summary>
    /// Whether a thread waits for another by way of such mutexes alone. Two that close a cycle at one moment may both be refused, so that a refused wait leads
    /// on too, to whichever of its mutexes.
    /// </summary>
    private bool LeadsTo(ElfThread waiter, ElfThread holder)
    {
        HashSet<ElfThread> passed = [holder];
        Queue<ElfThread> next = new(passed);
        while (next.TryDequeue(out ElfThread? at) && passed.Count < MostPassed)
        {
            foreach (ElfThread owner in OwnersAwaitedBy(at))
            {
                if (owner == waiter)
                {
                    return true;
                }

                if (passed.Add(owner))
                {
                    next.Enqueue(owner);
                }
            }
        }

        return false;
    }

    private IEnumerable<ElfThread> OwnersAwaitedBy(ElfThread thread)
    {
        IEnumerable<uint> owners = FutexWait.Of(thread) is { LocksInKernel: true } wait
            ? memory.ReadUInt32(wait.Word) is { } word ? [word & FutexLayout.OwnerMask] : []
            : _found.FirstOrDefault(f => f.Wait.Thread == thread).Mutexes?.Select(m => m.Owner).OfType<uint>() ?? [];
        return owners.Select(locks.Descriptors!.WithOwnId).OfType<ElfThread>().Where(o => o != thread);
    }
}

/// <summary>A priority-inheriting mutex that only threads of this process use, for which the kernel may refuse a wait.</summary>
/// <param name="Address">Where it begins.</param>
/// <param name="Owner">Kernel id of the thread that holds it, in the namespace of the process; null where the mutex itself says that its owner has ended.</param>
internal sealed record RefusableMutex(ulong Address, uint? Owner)
{
    /// <summary>Reads one of glibc; null where there is none at an address, or nobody holds it.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="address">The address.</param>
    public static RefusableMutex? OfGlibc(IMemory memory, ulong address)
    {
        Span<byte> bytes = stackalloc byte[PthreadLayout.MutexSize];
        if (!Read(memory, address, bytes))
        {
            return null;
        }

        uint kind = ReadUInt32LittleEndian(bytes[PthreadLayout.MutexKind..]);
        uint word = ReadUInt32LittleEndian(bytes), owner = ReadUInt32LittleEndian(bytes[PthreadLayout.MutexOwner..]);
        bool fits = (kind & ~PthreadLayout.KindKnownBits) == 0
            && (kind & (PthreadLayout.KindPriorityInheriting | PthreadLayout.KindRobust | PthreadLayout.KindShared)) == PthreadLayout.KindPriorityInheriting
            && ReadUInt32LittleEndian(bytes[PthreadLayout.MutexUsers..]) is > 0 and < PthreadSignalLayout.MostThreads;
        return fits && owner != 0 && (word & FutexLayout.OwnerMask) == owner ? new RefusableMutex(address, owner) : null;
    }

    /// <summary>
    /// Reads one of musl; null where there is none at an address, or nobody holds it. The one who finds that its owner has ended lets it go again, and leaves
    /// a number of waiters that no mutex in use has.
    /// </summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="address">The address.</param>
    public static RefusableMutex? OfMusl(IMemory memory, ulong address)
    {
        Span<byte> bytes = stackalloc byte[MuslLayout.MutexSize];
        if (!Read(memory, address, bytes))
        {
            return null;
        }

        uint type = ReadUInt32LittleEndian(bytes), word = ReadUInt32LittleEndian(bytes[MuslLayout.MutexLock..]);
        uint waiters = ReadUInt32LittleEndian(bytes[MuslLayout.MutexWaiters..]), count = ReadUInt32LittleEndian(bytes[MuslLayout.MutexCount..]);
        bool isRecursive = (type & MuslLayout.TypeMask) == MuslLayout.TypeRecursive;
        if ((type & ~MuslLayout.TypeMask) != MuslLayout.TypePriorityInheriting || (type & MuslLayout.TypeMask) > MuslLayout.TypeMost
            || count >= (isRecursive ? MuslLayout.MostThreads : 1))
        {
            return null;
        }

        return waiters == MuslLayout.WaitersOfEnded && (word & FutexLayout.OwnerMask) == 0 ? new RefusableMutex(address, null)
            : waiters == 0 && MuslMutex.OwnerIn(word, type) is { } owner and not 0 ? new RefusableMutex(address, owner)
            : null;
    }

    private static bool Read(IMemory memory, ulong address, Span<byte> bytes) =>
        address != 0 && address % sizeof(ulong) == 0 && memory.TryRead(address, bytes);
}
