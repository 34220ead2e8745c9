using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Locks;
using Dump.Readers.Linux.Code;
using static System.Buffers.Binary.BinaryPrimitives;

namespace Dump.Readers.Linux.Waits;

/// <summary>
/// Names the waits of native code that no lock with an owner explains. A wait in the futex system call has a name only where the function that made it, the
/// call's arguments and the memory around the word agree; other system calls name what they wait for themselves.
/// </summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="functionAt">Name of the function that an address lies in, as its library's symbols have it; null where none does.</param>
/// <param name="imageAt">The image that holds an address; null where no image can be read.</param>
internal sealed class UnownedWaits(IMemory memory, Func<ulong, string?> functionAt, Func<ulong, ElfImage?>? imageAt = null)
{
    private readonly List<WaitFact> _waits = [];
    private readonly Dictionary<Resource, string> _states = [];
    private readonly Dictionary<Resource, LibraryLock> _libraryLocks = [];
    private bool _memoryIsOfAnother;

    /// <summary>Reads those of all threads that wait for no lock.</summary>
    /// <param name="threads">The threads, each with its stack.</param>
    /// <param name="locks">What is known of locks.</param>
    public UnownedWaitFacts Read(IEnumerable<(ElfThread Thread, ThreadStack Stack)> threads, NativeLockFacts locks)
    {
        HashSet<uint> known = [.. locks.Waits.Select(w => w.ThreadId)];
        _memoryIsOfAnother = locks.Descriptors?.MemoryIsOfAnother != false;
        RefusedMutexes refused = new(memory, locks, functionAt);
        (ElfThread Thread, ThreadStack Stack)[] all = [.. threads];
        foreach ((ElfThread thread, ThreadStack stack) in all.Where(t => !known.Contains(t.Thread.Id)))
        {
            LibraryEntry? entry = LibraryEntry.Of(stack.Frames);
            if (thread.SystemCall < 0 && entry is { Index: 0, IsCpp: false, Function: "pthread_spin_lock" })
            {
                Spin(thread);
            }
            else if (FutexWait.Of(thread) is { } wait)
            {
                if (!refused.Add(wait, entry, stack.Frames) && !LockOfLibrary(wait, entry, stack.Frames) && entry is not null)
                {
                    Futex(wait, entry, stack.Frames);
                }
            }
            else if (LinuxSystemCalls.Of(thread) == LinuxCall.SeveralFutexes)
            {
                Several(FutexWait.All(memory, thread));
            }
            else if (SystemCallWait.Of(memory, thread, entry is { IsCpp: false } ? entry.Function : null) is { } call)
            {
                _waits.Add(call);
            }
        }

        (ImmutableArray<WaitFact> waits, ImmutableArray<OwnershipFact> owners) = refused.Read();
        OwnershipFact[] held = [.. LibraryLockOwners.Find(all, _waits, _libraryLocks, _memoryIsOfAnother)];
        foreach (Resource free in _libraryLocks.Keys.Except(held.Select(h => h.Resource)))
        {
            _states[free] += "; held by whom it does not store: a thread inside such a function, or one that a fork left behind";
        }

        return new UnownedWaitFacts([.. _waits, .. waits], _states.ToImmutableDictionary()) { Ownerships = [.. owners, .. held] };
    }

    private void Futex(FutexWait wait, LibraryEntry entry, ImmutableArray<StackFrame> frames)
    {
        switch (entry)
        {
            case { IsCpp: false, Function: "pthread_cond_wait" or "pthread_cond_timedwait" or "pthread_cond_clockwait" }:
                Condition(wait, entry, frames);
                break;
            case { IsCpp: false, Function: "sem_wait" or "sem_timedwait" or "sem_clockwait" } when PthreadSemaphore.Of(memory, wait) is { } semaphore:
                Add(wait, entry, new Resource(ResourceKind.PthreadSemaphore, wait.Word), $"value 0, {semaphore.Waiters} waiting",
                    new Evidence(EvidenceSource.Memory, "semaphore: value 0, number of waiters", wait.Word, semaphore.Waiters));
                break;
            case { IsCpp: false, Function: "pthread_barrier_wait" } when PthreadBarrier.Of(memory, wait) is { } barrier:
                Add(wait, entry, new Resource(ResourceKind.PthreadBarrier, barrier.Address), $"{barrier.Arrived} of {barrier.Count} have arrived",
                    new Evidence(EvidenceSource.Memory, $"barrier: {barrier.Arrived} of {barrier.Count} have arrived", barrier.Address));
                break;
            case { IsCpp: false, Function: var function } when MallocArena.IsAsked(function) && MallocArena.Of(memory, wait) is { } arena:
                Add(wait, entry, new Resource(ResourceKind.MallocArena, wait.Word), arena.Words,
                    new Evidence(EvidenceSource.Memory, "arena of malloc: its lock is held, the ring of arenas leads back to it", wait.Word, wait.Expected));
                _libraryLocks.TryAdd(new Resource(ResourceKind.MallocArena, wait.Word), LibraryLock.Malloc);
                break;
            case { IsCpp: false, Function: "pthread_once" } when InitializationWord.IsOnce(memory, wait):
                Add(wait, entry, new Resource(ResourceKind.PthreadOnce, wait.Word), "in progress; who runs it is stored nowhere",
                    new Evidence(EvidenceSource.Memory, "one-time initialisation: in progress", wait.Word, wait.Expected));
                break;
            case { IsCpp: true, Function: "__cxa_guard_acquire" } when InitializationWord.IsGuard(memory, wait):
                Add(wait, entry, new Resource(ResourceKind.StaticInitialization, wait.Word), "in progress; who runs it is stored nowhere",
                    new Evidence(EvidenceSource.Memory, "guard of a static variable: in progress, with waiters", wait.Word, wait.Expected));
                break;
        }
    }

    /// <summary>
    /// A lock that the C library takes inside of its own functions, by the function that waits for these alone. The function that takes it stands further out among
    /// the library's frames; the arenas of malloc lie in other memory and are known by that.
    /// </summary>
    private bool LockOfLibrary(FutexWait wait, LibraryEntry? entry, ImmutableArray<StackFrame> frames)
    {
        StackFrame[] own = [.. frames.TakeWhile(f => LibraryEntry.IsC(f.Module) && !f.IsOfSignal)];
        if (own is not [{ Called: LibraryLock.Wait } innermost, ..] || imageAt?.Invoke(innermost.InstructionPointer) is not { } library
            || !LibraryLock.IsAwaited(memory, wait, library)
            || (LibraryLock.Of(own).FirstOrDefault().Lock ?? (entry is { IsCpp: false, Function: var waiting } ? LibraryLock.In(waiting) : null)) is not { } taken
            || taken == LibraryLock.Malloc)
        {
            return false;
        }

        int index = Array.FindIndex(own, f => f.Called is { } function && taken.Functions.Contains(function));
        Resource resource = new(ResourceKind.LibraryLock, wait.Word);
        Add(wait, new LibraryEntry(index, own[index].Called!, false), resource, taken.IsKnown ? $"of {taken.Name}" : $"taken in {SafeText.Clean(taken.Name)}",
            new Evidence(EvidenceSource.Memory, "lock in the C library's own data: held, with waiters", wait.Word, wait.Expected));
        _libraryLocks.TryAdd(resource, taken);
        return true;
    }

    /// <summary>For how long it spins nothing tells, and a lock that processes share looks the same.</summary>
    private void Spin(ElfThread thread)
    {
        MachineCode machine = MachineCode.Of(thread.Machine);
        if (CodeAt(thread) is { } code && machine.SpunLock(code, thread) is ({ } address and not 0, { } register) && address % sizeof(uint) == 0
            && memory.ReadUInt32(address) is { } word && machine.IsHeld(word))
        {
            Resource resource = new(ResourceKind.PthreadSpinLock, address);
            _waits.Add(new WaitFact(thread.Id, resource, WaitTimeout.Unknown, Grade.Proven,
                [
                    new Evidence(EvidenceSource.Code, "in the loop of pthread_spin_lock of the C library", thread.InstructionPointer),
                    new Evidence(EvidenceSource.Memory, $"spin lock ({register}): held", address, word),
                ]));
            _states.TryAdd(resource, "held by whom it does not store");
        }
    }

    /// <summary>Where a thread's code is read: its image has what is not in memory.</summary>
    private IMemory? CodeAt(ElfThread thread) => thread.InstructionPointer is { } at ? imageAt?.Invoke(at) ?? memory : null;

    /// <summary>Words of which any ends the wait, and that no lock explains: there is nothing around them that says what they belong to.</summary>
    private void Several(FutexWait[] words)
    {
        foreach (FutexWait word in words.DistinctBy(w => w.Word))
        {
            Resource resource = new(ResourceKind.Address, word.Word);
            _waits.Add(new WaitFact(word.Thread.Id, resource, word.Timeout, Grade.Proven, [word.Call], IsWaitAny: word.IsAnyOfSeveral));
            _states.TryAdd(resource, words.Length == 1 ? "a word of futex_waitv" : $"any of {words.Length} words of futex_waitv");
        }
    }

    private void Condition(FutexWait wait, LibraryEntry entry, ImmutableArray<StackFrame> frames)
    {
        ulong start = frames[entry.Index].StackPointer, end = entry.Index + 1 < frames.Length ? frames[entry.Index + 1].StackPointer : start;
        if (PthreadCondition.Of(memory, wait, (start, end)) is not { } condition)
        {
            return;
        }

        string mutex = condition.Mutex is { } address ? $"takes mutex 0x{address:x} again" : "the mutex that it takes again is unknown";
        Add(wait, entry, new Resource(ResourceKind.ConditionVariable, condition.Address), $"{condition.Waiters} waiting; {mutex}",
            condition.Mutex is { } taken
                ? new Evidence(EvidenceSource.Stack, "record of pthread_cond_wait: condition variable and mutex", taken)
                : new Evidence(EvidenceSource.Memory, "condition variable: number of threads that use it", condition.Address, condition.Waiters));
    }

    private void Add(FutexWait wait, LibraryEntry entry, Resource resource, string state, Evidence evidence)
    {
        string module = entry.IsCpp ? "the C++ library" : "the C library";
        _waits.Add(new WaitFact(wait.Thread.Id, resource, wait.Timeout, Grade.Proven,
            [wait.Call, new Evidence(EvidenceSource.Stack, $"frame {entry.Index} is {SafeText.Clean(entry.Function)} of {module}"), evidence])
        {
            IsWithinProcess = wait.IsPrivate && !_memoryIsOfAnother,
        });
        _states.TryAdd(resource, state);
    }
}

/// <summary>A condition variable of glibc (<c>pthread_cond_t</c>) that a thread waits for.</summary>
/// <param name="Address">Where it begins.</param>
/// <param name="Waiters">How many threads use it, those that are about to go on among them.</param>
/// <param name="Mutex">The mutex that the thread takes again before it goes on; null when its stack does not tell.</param>
internal sealed record PthreadCondition(ulong Address, uint Waiters, ulong? Mutex)
{
    // The frame of pthread_cond_timedwait has 200 bytes.
    private const int MostFrameBytes = 1_024;

    /// <summary>Reads the one one of whose two words a thread waits for; null when what is there is none, or has been signalled.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="wait">The wait.</param>
    /// <param name="frame">The stack of the frame that waits: its first address and the one behind it.</param>
    public static PthreadCondition? Of(IMemory memory, FutexWait wait, (ulong Start, ulong End) frame)
    {
        // The structure is aligned to 8 bytes, so that the word itself tells its group.
        uint group = wait.Word % sizeof(ulong) == 0 ? 0u : 1;
        ulong address = unchecked(wait.Word - PthreadSignalLayout.GroupSignals - group * sizeof(uint));
        Span<byte> bytes = stackalloc byte[PthreadSignalLayout.ConditionSize];
        if (wait.LocksInKernel || wait.Expected != 0 || !memory.TryRead(address, bytes))
        {
            return null;
        }

        ulong sequence = ReadUInt64LittleEndian(bytes), start = ReadUInt64LittleEndian(bytes[PthreadSignalLayout.FirstGroupStart..]);
        uint references = Word(bytes, PthreadSignalLayout.WaiterReferences), waiters = references >> PthreadSignalLayout.WaiterReferenceShift;
        uint mine = InGroup(bytes, group), others = InGroup(bytes, 1 - group);
        bool fits = waiters is > 0 and < PthreadSignalLayout.MostThreads && mine > 0 && (ulong)mine + others <= waiters
            && Word(bytes, PthreadSignalLayout.GroupSignals + (int)group * sizeof(uint)) == 0
            && sequence >> 1 > start >> 1
            && (Word(bytes, PthreadSignalLayout.FirstGroupSizeAndLock) & PthreadSignalLayout.LockMask) <= PthreadSignalLayout.MostOfLock
            && (references & PthreadSignalLayout.ConditionShared) == (wait.IsPrivate ? 0 : PthreadSignalLayout.ConditionShared);
        return fits ? new PthreadCondition(address, waiters, MutexOf(memory, address, group, sequence, frame)) : null;
    }

    private static uint InGroup(ReadOnlySpan<byte> bytes, uint group) =>
        Word(bytes, PthreadSignalLayout.GroupReferences + (int)group * sizeof(uint)) >> PthreadSignalLayout.GroupReferenceShift;

    /// <summary>By the record that the waiting function keeps; more than one that fits is none.</summary>
    private static ulong? MutexOf(IMemory memory, ulong condition, uint group, ulong sequence, (ulong Start, ulong End) frame)
    {
        byte[] stack = new byte[frame.End > frame.Start ? (int)Math.Min(frame.End - frame.Start, MostFrameBytes) : 0];
        if (stack.Length < PthreadSignalLayout.RecordSize || !memory.TryRead(frame.Start, stack))
        {
            return null;
        }

        ulong? found = null;
        for (int at = 0; at + PthreadSignalLayout.RecordSize <= stack.Length; at += sizeof(ulong))
        {
            ReadOnlySpan<byte> record = stack.AsSpan(at);
            ulong position = ReadUInt64LittleEndian(record), mutex = ReadUInt64LittleEndian(record[PthreadSignalLayout.RecordMutex..]);
            if (ReadUInt64LittleEndian(record[PthreadSignalLayout.RecordCondition..]) == condition && (position & 1) == group
                && position >> 1 < sequence >> 1 && Word(record, PthreadSignalLayout.RecordSharing) is 0 or PthreadSignalLayout.Shared
                && IsMutex(memory, mutex))
            {
                if (found is not null && found != mutex)
                {
                    return null;
                }

                found = mutex;
            }
        }

        return found;
    }

    private static bool IsMutex(IMemory memory, ulong address) => address % sizeof(ulong) == 0
        && memory.ReadUInt32(unchecked(address + PthreadLayout.MutexKind)) is { } kind && (kind & ~PthreadLayout.KindKnownBits) == 0
        && memory.ReadUInt32(unchecked(address + PthreadLayout.MutexUsers)) < PthreadSignalLayout.MostThreads;

    private static uint Word(ReadOnlySpan<byte> bytes, int offset) => ReadUInt32LittleEndian(bytes[offset..]);
}

/// <summary>Words of one-time initialisations that a thread waits for. Neither stores who runs the initialiser.</summary>
internal static class InitializationWord
{
    /// <summary>True when the word is a <c>pthread_once_t</c> whose function runs.</summary>
    public static bool IsOnce(IMemory memory, FutexWait wait) =>
        wait is { LocksInKernel: false, IsPrivate: true } && (wait.Expected & PthreadSignalLayout.OnceStateMask) == PthreadSignalLayout.OnceRuns
            && memory.ReadUInt32(wait.Word) == wait.Expected;

    /// <summary>True when the word is the guard of a static variable of C++ whose initialiser runs, which is aligned to 8 bytes.</summary>
    public static bool IsGuard(IMemory memory, FutexWait wait) =>
        wait is { LocksInKernel: false, IsPrivate: false, Expected: PthreadSignalLayout.GuardRunsWithWaiters } && wait.Word % sizeof(ulong) == 0
            && memory.ReadUInt32(wait.Word) == wait.Expected;
}

/// <summary>A barrier of glibc (<c>pthread_barrier_t</c>) at which a thread waits for others.</summary>
/// <param name="Address">Where it begins.</param>
/// <param name="Arrived">How many have come in this round.</param>
/// <param name="Count">How many must come.</param>
internal sealed record PthreadBarrier(ulong Address, uint Arrived, uint Count)
{
    /// <summary>Reads the one whose round a thread waits for to end; null when what is there is none, or all have come.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="wait">The wait.</param>
    public static PthreadBarrier? Of(IMemory memory, FutexWait wait)
    {
        ulong address = unchecked(wait.Word - PthreadSignalLayout.BarrierRound);
        Span<byte> bytes = stackalloc byte[PthreadSignalLayout.BarrierSize];
        if (wait.LocksInKernel || address % sizeof(ulong) != 0 || !memory.TryRead(address, bytes))
        {
            return null;
        }

        uint came = ReadUInt32LittleEndian(bytes), round = ReadUInt32LittleEndian(bytes[PthreadSignalLayout.BarrierRound..]);
        uint count = ReadUInt32LittleEndian(bytes[PthreadSignalLayout.BarrierCount..]), arrived = unchecked(came - round);
        bool fits = round == wait.Expected && came > round && count < PthreadSignalLayout.MostThreads && arrived < count
            && round % count == 0 && ReadUInt32LittleEndian(bytes[PthreadSignalLayout.BarrierLeft..]) <= round
            && ReadUInt32LittleEndian(bytes[PthreadSignalLayout.BarrierSharing..]) == (wait.IsPrivate ? 0 : PthreadSignalLayout.Shared);
        return fits ? new PthreadBarrier(address, arrived, count) : null;
    }
}

/// <summary>A semaphore of glibc (<c>sem_t</c>) that a thread waits for: its value is 0.</summary>
/// <param name="Waiters">How many threads wait for it, those of other processes among them where it is shared.</param>
internal sealed record PthreadSemaphore(uint Waiters)
{
    /// <summary>Reads the one whose value a thread waits for; null when what is there is none, or it may be taken.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="wait">The wait.</param>
    public static PthreadSemaphore? Of(IMemory memory, FutexWait wait)
    {
        Span<byte> bytes = stackalloc byte[PthreadSignalLayout.SemaphoreSize];
        if (wait.LocksInKernel || wait.Expected != 0 || wait.Word % sizeof(ulong) != 0 || !memory.TryRead(wait.Word, bytes))
        {
            return null;
        }

        uint waiters = ReadUInt32LittleEndian(bytes[PthreadSignalLayout.SemaphoreWaiters..]);
        bool fits = ReadUInt32LittleEndian(bytes) == 0 && waiters is > 0 and < PthreadSignalLayout.MostThreads
            && ReadUInt32LittleEndian(bytes[PthreadSignalLayout.SemaphoreSharing..]) == (wait.IsPrivate ? 0 : PthreadSignalLayout.Shared);
        return fits ? new PthreadSemaphore(waiters) : null;
    }
}

/// <summary>What threads of native code wait for that no word of theirs tells.</summary>
/// <param name="Waits">The waits.</param>
/// <param name="States">What is known of what they wait for.</param>
internal sealed record UnownedWaitFacts(ImmutableArray<WaitFact> Waits, ImmutableDictionary<Resource, string> States)
{
    /// <summary>Holders of locks for which the kernel does not let their threads wait.</summary>
    public ImmutableArray<OwnershipFact> Ownerships { get; init; } = [];

    /// <summary>Nothing is known.</summary>
    public static UnownedWaitFacts None { get; } = new([], ImmutableDictionary<Resource, string>.Empty);
}
