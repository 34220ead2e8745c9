using System.Buffers.Binary;
using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Locks;

namespace Dump.Readers.Linux.Waits;

/// <summary>
/// Threads that want a priority-inheriting mutex which the kernel refuses to let them wait for: the wait would close a cycle, or the owner has ended. glibc
/// then lets the thread wait for ever for a word of its own stack (nptl/pthread_mutex_lock.c, "Delay the thread indefinitely"), and only what its frames keep tells
/// which mutex it was.
/// </summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="locks">What is known of other locks.</param>
internal sealed class RefusedMutexes(IMemory memory, NativeLockFacts locks)
{
    private const string LockFunction = "pthread_mutex_lock";

    // The function's own frame and those of the wait below it have some hundred bytes.
    private const int MostFrameBytes = 2_048;
    private const int MostCandidates = 16;

    // Longer chains the kernel does not follow either (kernel/locking/rtmutex.c, max_lock_depth).
    private const int MostPassed = 1_024;
    private static readonly int[] s_keptRegisters =
    [
        ElfCoreLayout.RegisterRbx, ElfCoreLayout.RegisterRbp, ElfCoreLayout.RegisterR12, ElfCoreLayout.RegisterR13, ElfCoreLayout.RegisterR14,
        ElfCoreLayout.RegisterR15,
    ];

    private readonly List<(FutexWait Wait, int Frame, ulong[] Mutexes)> _found = [];

    /// <summary>Adds a wait where it is such a one.</summary>
    /// <param name="wait">The wait.</param>
    /// <param name="entry">The function of the library by which its thread came into it.</param>
    /// <param name="frames">The thread's frames.</param>
    /// <returns>True when it is one, whether or not its mutex can be told.</returns>
    public bool Add(FutexWait wait, LibraryEntry entry, ImmutableArray<StackFrame> frames)
    {
        if (entry is not { IsCpp: false, Function: LockFunction } || entry.Index + 1 >= frames.Length
            || wait is not { LocksInKernel: false, Expected: 0, Timeout: WaitTimeout.Infinite } || memory.ReadUInt32(wait.Word) != 0)
        {
            return false;
        }

        ulong start = frames[0].StackPointer, end = frames[entry.Index + 1].StackPointer;
        if (wait.Word < start || wait.Word >= end || end - start > MostFrameBytes)
        {
            return false;
        }

        byte[] stack = new byte[end - start];
        ulong[] kept = wait.Thread.Registers.Count == ElfCoreLayout.RegisterCount ? [.. s_keptRegisters.Select(r => wait.Thread.Registers[r])] : [];
        ulong[] slots = memory.TryRead(start, stack)
            ? [.. Enumerable.Range(0, stack.Length / sizeof(ulong)).Select(i => BinaryPrimitives.ReadUInt64LittleEndian(stack.AsSpan(i * sizeof(ulong))))]
            : [];
        _found.Add((wait, entry.Index, [.. kept.Concat(slots).Where(a => OwnerOf(a) is not null).Distinct().Take(MostCandidates + 1)]));
        return true;
    }

    /// <summary>The waits whose mutex is the only one that explains the refusal, and the owners of those.</summary>
    public (ImmutableArray<WaitFact> Waits, ImmutableArray<OwnershipFact> Owners) Read()
    {
        List<WaitFact> waits = [];
        Dictionary<ulong, OwnershipFact> owners = [];
        foreach ((FutexWait wait, int frame, ulong[] mutexes) in _found.Where(f => f.Mutexes.Length <= MostCandidates))
        {
            ulong[] refused = [.. mutexes.Where(m => IsRefused(wait.Thread, OwnerOf(m)!.Value, isOther: true))];
            refused = refused.Length > 0 ? refused : [.. mutexes.Where(m => IsRefused(wait.Thread, OwnerOf(m)!.Value, isOther: false))];
            if (refused is [var mutex])
            {
                Resource resource = new(ResourceKind.PthreadMutex, mutex);
                waits.Add(new WaitFact(wait.Thread.Id, resource, WaitTimeout.Infinite, Grade.Derived,
                    [
                        wait.Call,
                        new Evidence(EvidenceSource.Stack, $"frame {frame} is {LockFunction} of the C library, and waits for a word of its stack", wait.Word),
                        new Evidence(EvidenceSource.Rule, "the kernel refused the wait for the only mutex in these frames that it would refuse", mutex),
                    ]));
                owners.TryAdd(mutex, Owner(resource, OwnerOf(mutex)!.Value));
            }
        }

        return ([.. waits], [.. owners.Values.Where(o => !locks.Ownerships.Any(l => l.Resource == o.Resource))]);
    }

    private OwnershipFact Owner(Resource resource, uint owner)
    {
        ElfThread? thread = locks.Descriptors!.WithOwnId(owner);
        return new OwnershipFact(resource, thread?.Id ?? owner, thread is not null, null, Grade.Proven,
            [new Evidence(EvidenceSource.Memory, "priority-inheriting mutex: owner in its word", resource.Identity, owner)]);
    }

    /// <summary>The owner of a priority-inheriting mutex that only threads of this process use; null where there is none at an address.</summary>
    private uint? OwnerOf(ulong address)
    {
        Span<byte> bytes = stackalloc byte[PthreadLayout.MutexSize];
        if (address == 0 || address % sizeof(ulong) != 0 || !memory.TryRead(address, bytes))
        {
            return null;
        }

        uint kind = BinaryPrimitives.ReadUInt32LittleEndian(bytes[PthreadLayout.MutexKind..]);
        uint word = BinaryPrimitives.ReadUInt32LittleEndian(bytes), owner = BinaryPrimitives.ReadUInt32LittleEndian(bytes[PthreadLayout.MutexOwner..]);
        bool fits = (kind & ~PthreadLayout.KindKnownBits) == 0
            && (kind & (PthreadLayout.KindPriorityInheriting | PthreadLayout.KindRobust | PthreadLayout.KindShared)) == PthreadLayout.KindPriorityInheriting
            && BinaryPrimitives.ReadUInt32LittleEndian(bytes[PthreadLayout.MutexUsers..]) is > 0 and < PthreadSignalLayout.MostThreads;
        return fits && owner != 0 && (word & FutexLayout.OwnerMask) == owner ? owner : null;
    }

    /// <summary>
    /// The kernel refuses a wait for one's own mutex, for one whose owner waits for this thread by way of such mutexes alone, and for one whose owner has ended
    /// (futex(2), FUTEX_LOCK_PI: EDEADLK, ESRCH).
    /// </summary>
    private bool IsRefused(ElfThread waiter, uint owner, bool isOther)
    {
        ElfThread? holder = locks.Descriptors?.WithOwnId(owner);
        if (holder is null)
        {
            return isOther && locks.Descriptors?.AreComplete == true;
        }

        if (holder == waiter)
        {
            return !isOther;
        }

        HashSet<ElfThread> passed = [];
        for (ElfThread? at = holder; isOther && at is not null && passed.Count < MostPassed && passed.Add(at);)
        {
            at = FutexWait.Of(at) is { LocksInKernel: true } next && memory.ReadUInt32(next.Word) is { } word
                ? locks.Descriptors!.WithOwnId(word & FutexLayout.OwnerMask) : null;
            if (at == waiter)
            {
                return true;
            }
        }

        return false;
    }
}
