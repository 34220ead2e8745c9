using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;
using static System.Buffers.Binary.BinaryPrimitives;

namespace Dump.Readers.Linux.Locks;

/// <summary>
/// Finds the locks of native code that threads wait for without walking a stack: the arguments of the futex system call name a word, and the memory around it
/// says what it belongs to. Where that does not fit in all its parts, nothing is said.
/// </summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="threads">All its threads.</param>
/// <param name="files">Its mapped files.</param>
internal sealed class NativeLocks(IMemory memory, IReadOnlyList<ElfThread> threads, IReadOnlyList<ElfMappedFile> files)
{
    private readonly ThreadDescriptors _descriptors = new(memory, threads);
    private readonly List<WaitFact> _waits = [];
    private readonly Dictionary<Resource, OwnershipFact?> _owners = [];
    private readonly Dictionary<Resource, string> _states = [];

    /// <summary>Reads all of them; nothing where the registers are not known, or the C library is neither glibc nor musl.</summary>
    public NativeLockFacts Read()
    {
        foreach (FutexWait wait in threads.SelectMany(t => FutexWait.All(memory, t)))
        {
            _ = _descriptors.LibraryOf(wait.Thread) switch
            {
                CLibrary.Glibc => Mutex(wait) || Stream(wait) || ReaderWriterLock(wait) || Join(wait, _descriptors.JoinedBy(wait)),
                CLibrary.Musl => MutexOfMusl(wait) || Join(wait, _descriptors.JoinedByMusl(wait)) || ReaderWriterLockOfMusl(wait),
                _ => false,
            };
        }

        return new NativeLockFacts([.. _waits], [.. _owners.Values.OfType<OwnershipFact>()], _states.ToImmutableDictionary()) { Descriptors = _descriptors };
    }

    private bool Mutex(FutexWait wait)
    {
        if (PthreadMutex.Of(memory, wait) is not { } mutex)
        {
            return false;
        }

        ResourceKind kind = LoaderData.Contains(files, wait.Word) ? ResourceKind.DynamicLoaderLock : ResourceKind.PthreadMutex;
        Add(wait, new Resource(kind, wait.Word), resource => Owner(
            resource, mutex.Owner, mutex.IsShared && !(mutex.IsRobust && IsInListOf(mutex.Owner, wait.Word)), (int?)mutex.Depth,
            new Evidence(EvidenceSource.Memory, $"{mutex.Words}: owner", wait.Word + PthreadLayout.MutexOwner, mutex.Owner), mutex.OthersMayRelease));
        return true;
    }

    /// <summary>True where the list that a robust mutex is in leads back to the descriptor of the thread here that has the owner's id.</summary>
    private bool IsInListOf(uint owner, ulong mutex)
    {
        if (_descriptors.WithOwnId(owner) is not { } thread || _descriptors.AddressOf(thread) is not { } descriptor)
        {
            return false;
        }

        ulong? at = memory.ReadUInt64(mutex + PthreadLayout.MutexPrevious);
        for (int i = 0; i < PthreadLayout.MostRobust && at is { } place; i++)
        {
            ulong entry = place & ~1UL;
            if (entry - descriptor < _descriptors.Size)
            {
                return true;
            }

            at = memory.ReadUInt64(entry);
        }

        return false;
    }

    private bool Stream(FutexWait wait)
    {
        if (StreamLock.Of(memory, wait, _descriptors) is not { } stream)
        {
            return false;
        }

        Add(wait, new Resource(ResourceKind.StreamLock, wait.Word), resource => new OwnershipFact(
            resource, stream.Owner.Id, true, (int)stream.Depth, Grade.Proven,
            [
                new Evidence(EvidenceSource.Memory, "lock of a stream: descriptor of its owner", wait.Word + PthreadLayout.StreamLockOwner,
                    _descriptors.AddressOf(stream.Owner)),
            ]));
        return true;
    }

    private bool ReaderWriterLock(FutexWait wait)
    {
        if (PthreadReaderWriterLock.Of(memory, wait) is not { } found)
        {
            return false;
        }

        Resource shared = new(ResourceKind.PthreadReaderWriterLock, found.Address);
        if (found.Writer is null)
        {
            _states.TryAdd(shared, $"held by {CountText.Of(found.Readers, "reader")}, which it does not name");
        }

        Add(wait, shared, resource => found.Writer is { } writer
            ? Owner(resource, writer, found.IsShared, null,
                new Evidence(EvidenceSource.Memory, "reader-writer lock: __cur_writer", found.Address + PthreadLayout.CurrentWriter, writer))
            : null);
        return true;
    }

    private bool MutexOfMusl(FutexWait wait)
    {
        if (MuslMutex.Of(memory, wait) is not { } mutex)
        {
            return false;
        }

        Resource lockOf = new(ResourceKind.PthreadMutex, mutex.Address);
        if (mutex.Owner is null)
        {
            _states.TryAdd(lockOf, "held by whom it does not store: musl keeps no owner in a normal mutex");
        }

        Add(wait, lockOf, resource => mutex.Owner switch
        {
            null => null,
            0 => new OwnershipFact(resource, 0, false, (int?)mutex.Depth, Grade.Proven,
                [new Evidence(EvidenceSource.Memory, $"{mutex.Words}: its owner has ended", wait.Word, wait.Expected)])
            {
                OwnerDescription = "a thread",
            },
            { } owner => Owner(resource, owner, mutex.IsShared, (int?)mutex.Depth,
                new Evidence(EvidenceSource.Memory, $"{mutex.Words}: owner in its word", wait.Word, owner)),
        });
        return true;
    }

    private bool ReaderWriterLockOfMusl(FutexWait wait)
    {
        if (MuslReaderWriterLock.Of(memory, wait) is not { } found)
        {
            return false;
        }

        Resource shared = new(ResourceKind.PthreadReaderWriterLock, wait.Word);
        _states.TryAdd(shared, $"held by {(found.Readers is { } readers ? CountText.Of(readers, "reader") : "a writer")}, which it does not name");
        Add(wait, shared, _ => null);
        return true;
    }

    private bool Join(FutexWait wait, ElfThread? ended)
    {
        if (ended is not { } joined || joined == wait.Thread)
        {
            return false;
        }

        Add(wait, new Resource(ResourceKind.Thread, joined.Id), resource => new OwnershipFact(
            resource, joined.Id, true, null, Grade.Proven, [new Evidence(EvidenceSource.Rule, "a thread ends by itself only")]));
        return true;
    }

    private void Add(FutexWait wait, Resource resource, Func<Resource, OwnershipFact?> owner)
    {
        if (!_owners.TryGetValue(resource, out OwnershipFact? held))
        {
            held = owner(resource);
            _owners[resource] = held;
        }

        _waits.Add(new WaitFact(wait.Thread.Id, resource, wait.Timeout, Grade.Proven, [wait.Call], IsWaitAny: wait.IsAnyOfSeveral)
        {
            IsSatisfied = IsHandedOver(wait, held),
        });
    }

    /// <summary>
    /// True where the kernel has given the lock to the waiter, which is still inside the call because it has not run since. It cannot be a wait for its own lock:
    /// the kernel refuses that one at once (futex(2), FUTEX_LOCK_PI: EDEADLK).
    /// </summary>
    private static bool IsHandedOver(FutexWait wait, OwnershipFact? held) =>
        wait.LocksInKernel && held is { OwnerIsAlive: true } && held.OwnerThreadId == wait.Thread.Id;

    /// <summary>
    /// An owner that is not among the threads has ended, or belongs to another process where the lock may be used by several. Where a thread has no descriptor
    /// it may be that one, whose id nothing else tells. A lock of several processes stores an id of the owner's own namespace, which may be that of a thread
    /// here by chance: what holds it is unknown. So it is of all locks in the memory of another process. That the owner of a lock which others may release has
    /// ended is no more than likely to be the end of it.
    /// </summary>
    private OwnershipFact Owner(Resource resource, uint id, bool isShared, int? depth, Evidence evidence, bool othersMayRelease = false)
    {
        bool isElsewhere = isShared || _descriptors.MemoryIsOfAnother;
        ElfThread? thread = isElsewhere ? null : _descriptors.WithOwnId(id);
        if (thread is null && (isElsewhere || !_descriptors.AreComplete))
        {
            return new OwnershipFact(resource, 0, null, depth, Grade.Proven, [evidence])
            {
                OwnerDescription = isElsewhere ? $"thread {id} of this or another process" : $"thread {id}",
            };
        }

        Grade grade = thread is null && othersMayRelease ? Grade.Derived : Grade.Proven;
        return new OwnershipFact(resource, thread?.Id ?? id, thread is not null, depth, grade, [evidence]) { OthersMayRelease = othersMayRelease };
    }
}

/// <summary>A <c>pthread_rwlock_t</c> of musl that a thread waits for. It names nobody that holds it.</summary>
/// <param name="Readers">How many hold it for reading; null while a writer holds it.</param>
internal sealed record MuslReaderWriterLock(uint? Readers)
{
    /// <summary>Reads the lock whose word a thread waits for; null when what is there is none, or nobody holds it.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="wait">The wait.</param>
    public static MuslReaderWriterLock? Of(IMemory memory, FutexWait wait)
    {
        Span<byte> bytes = stackalloc byte[MuslLayout.ReaderWriterLockSize];
        if (wait.LocksInKernel || wait.Word % sizeof(ulong) != 0 || !memory.TryRead(wait.Word, bytes))
        {
            return null;
        }

        uint word = ReadUInt32LittleEndian(bytes), held = word & ~FutexLayout.HasWaiters;
        bool fits = word == wait.Expected && (word & FutexLayout.HasWaiters) != 0 && held is MuslLayout.HeldByWriter or (> 0 and < MuslLayout.MostThreads)
            && ReadUInt32LittleEndian(bytes[MuslLayout.ReaderWriterWaiters..]) is > 0 and < MuslLayout.MostThreads
            && ReadUInt32LittleEndian(bytes[MuslLayout.ReaderWriterShared..]) == (wait.IsPrivate ? 0 : MuslLayout.TypeShared)
            && bytes[MuslLayout.ReaderWriterRest..].IndexOfAnyExcept((byte)0) < 0;
        return !fits ? null : new MuslReaderWriterLock(held == MuslLayout.HeldByWriter ? null : held);
    }
}

/// <summary>
/// The dynamic loader's own writable data, where its locks are (<c>_rtld_global</c>: <c>_dl_load_lock</c> and its kin; glibc sysdeps/generic/ldsodefs.h). They
/// are taken by <c>dlopen</c>, <c>dlclose</c> and the first use of some thread-local variables.
/// </summary>
internal static class LoaderData
{
    // Its last part, which is no file's, follows the mapped ones directly.
    private const ulong UninitialisedData = 0x4000;
    private static readonly string[] s_names = ["ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"];

    /// <summary>True when an address lies in it.</summary>
    public static bool Contains(IReadOnlyList<ElfMappedFile> files, ulong address) =>
        files.Any(f => IsLoader(f.Path) && address >= f.Start && address < f.End + UninitialisedData)
            && !files.Any(f => !IsLoader(f.Path) && address >= f.Start && address < f.End);

    // Before glibc 2.34 the file had its version in its name: ld-2.31.so.
    private static bool IsLoader(string path)
    {
        ReadOnlySpan<char> name = ElfMappedFile.NameOf(path);
        return s_names.Contains(name.ToString()) || (name.StartsWith("ld-2.") && name.EndsWith(".so"));
    }
}

/// <summary>Who waits for which locks of native code, and who holds them.</summary>
/// <param name="Waits">The waits.</param>
/// <param name="Ownerships">The holders.</param>
/// <param name="States">What locks tell of themselves that have no single owner.</param>
public sealed record NativeLockFacts(
    ImmutableArray<WaitFact> Waits, ImmutableArray<OwnershipFact> Ownerships, ImmutableDictionary<Resource, string> States)
{
    /// <summary>The threads by the ids that the process itself knows; null where nothing was read.</summary>
    internal ThreadDescriptors? Descriptors { get; init; }

    /// <summary>Nothing is known.</summary>
    public static NativeLockFacts None { get; } = new([], [], ImmutableDictionary<Resource, string>.Empty);
}

/// <summary>The lock of a stream of the C library (<c>FILE</c>) that a thread waits for: it stores the descriptor of the thread that holds it.</summary>
/// <param name="Owner">That thread.</param>
/// <param name="Depth">How many times it has entered.</param>
internal sealed record StreamLock(ElfThread Owner, uint Depth)
{
    private const uint MostDepth = 1 << 16;

    /// <summary>Reads it; null when what is there is none. A pointer to a thread's descriptor at that very place is nothing else.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="wait">The wait.</param>
    /// <param name="descriptors">Those of the process' threads.</param>
    public static StreamLock? Of(IMemory memory, FutexWait wait, ThreadDescriptors descriptors) =>
        wait is { LocksInKernel: false, Expected: PthreadLayout.MutexContended }
            && memory.ReadUInt32(wait.Word) == PthreadLayout.MutexContended
            && memory.ReadUInt32(wait.Word + PthreadLayout.StreamLockDepth) is { } depth and > 0 and < MostDepth
            && memory.ReadUInt64(wait.Word + PthreadLayout.StreamLockOwner) is { } owner and not 0 && descriptors.At(owner) is { } thread
            ? new StreamLock(thread, depth)
            : null;
}
