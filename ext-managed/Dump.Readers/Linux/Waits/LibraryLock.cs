using System.Collections.Frozen;
using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Text;
using Dump.Model.Waits;
using Dump.Model.Wording;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Locks;

namespace Dump.Readers.Linux.Waits;

/// <summary>
/// A lock that glibc takes inside of its own functions: a bare word, which stores no owner. Which functions take it stands here after their source (2.31 to 2.36).
/// </summary>
/// <param name="Name">What it guards, or the function that takes it, for people.</param>
/// <param name="Functions">
/// The functions that take it: those that programs call, and the inner ones, whose names only debug files have.
/// </param>
internal sealed record LibraryLock(string Name, FrozenSet<string> Functions)
{
    /// <summary>
    /// The function in which threads wait for such a lock, and for no other kind (nptl/lowlevellock.c). The library exports it, so that it has its name without
    /// debug files.
    /// </summary>
    public const string Wait = "__lll_lock_wait_private";

    /// <summary>The locks of malloc's arenas, which lie in memory of their own (<see cref="MallocArena"/>).</summary>
    public static LibraryLock Malloc { get; } = new("malloc",
    [
        .. MallocArena.Functions, "__libc_malloc", "__libc_calloc", "__libc_realloc", "__libc_free", "__libc_memalign", "_int_malloc", "_int_free", "_int_realloc",
        "_int_memalign", "_mid_memalign", "malloc_consolidate", "sysmalloc", "systrim", "tcache_init", "tcache_thread_shutdown", "__malloc_arena_thread_freeres",
        "arena_get2", "arena_get_retry", "unlink_chunk",

        // A fork takes the locks of all arenas first (malloc/arena.c, __malloc_fork_lock_parent).
        "fork", "__libc_fork", "forkpty", "daemon", "__malloc_fork_lock_parent", "__malloc_fork_unlock_parent", "__malloc_fork_unlock_child",
    ]);

    private static readonly LibraryLock[] s_all =
    [
        Malloc,
        new("syslog",
        [
            "syslog", "vsyslog", "__syslog_chk", "__vsyslog_chk", "openlog", "closelog", "__vsyslog_internal", "openlog_internal", "closelog_internal",
        ]),
        new("the time zone",
        [
            "localtime", "localtime_r", "gmtime", "gmtime_r", "mktime", "timelocal", "tzset", "strftime", "strftime_l", "wcsftime", "wcsftime_l", "ctime", "ctime_r",
            "__tz_convert", "__tzset", "__tzfile_read", "__tzfile_compute", "tzset_internal", "tzset_parse_tz",
        ]),
        new("the network's addresses", ["__check_pf", "make_request"]),
        new("the environment", ["setenv", "putenv", "unsetenv", "clearenv", "__add_to_environ"]),
        new("random numbers", ["rand", "srand", "random", "srandom", "initstate", "setstate"]),
        new("what runs at exit",
        [
            "exit", "atexit", "on_exit", "at_quick_exit", "quick_exit", "__cxa_atexit", "__cxa_at_quick_exit", "__cxa_finalize", "__run_exit_handlers",
            "__internal_atexit", "__new_exitfn",
        ]),
        .. Databases(),
    ];

    private LibraryLock(string name, IEnumerable<string> functions)
        : this(name, functions.ToFrozenSet(StringComparer.Ordinal))
    {
    }

    /// <summary>True where who takes the lock is known from its source; false for a lock of which one waiting function is all that is known.</summary>
    public bool IsKnown { get; private init; } = true;

    /// <summary>A lock of which nothing is known but that a function waits for it.</summary>
    public static LibraryLock In(string function) => new(function, [function]) { IsKnown = false };

    /// <summary>The locks whose functions are among some frames, each with the innermost such function; the first is that of the innermost.</summary>
    /// <param name="frames">Frames, innermost first; those of other libraries take none.</param>
    public static IEnumerable<(LibraryLock Lock, StackFrame Function)> Of(IEnumerable<StackFrame> frames) =>
        from frame in frames
        let taken = frame.Called is { } function && LibraryEntry.IsC(frame.Module) ? Array.Find(s_all, l => l.Functions.Contains(function)) : null
        where taken is not null
        group frame by taken into functions
        select (functions.Key, functions.First());

    /// <summary>True where the word that a thread waits for is a lock in the library's own data that is held, and the wait has no time limit.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="wait">The wait.</param>
    /// <param name="library">The library in whose code the thread stands.</param>
    public static bool IsAwaited(IMemory memory, FutexWait wait, ElfImage library) =>
        wait is { LocksInKernel: false, IsPrivate: true, IsAnyOfSeveral: false, Expected: PthreadLayout.MutexContended, Timeout: Model.Waits.WaitTimeout.Infinite }
            && library.IsWritten(wait.Word) && memory.ReadUInt32(wait.Word) == PthreadLayout.MutexContended;

    /// <summary>Each of these functions of nss/getXXbyYY.c has a lock of its own.</summary>
    private static IEnumerable<LibraryLock> Databases() =>
        ((string[])["getpwnam", "getpwuid", "getgrnam", "getgrgid", "gethostbyname", "gethostbyname2", "gethostbyaddr", "getservbyname", "getservbyport",
            "getprotobyname", "getprotobynumber", "getspnam", "getnetbyname", "getnetbyaddr", "getrpcbyname", "getrpcbynumber"])
        .Select(f => new LibraryLock(f, [f]));
}

/// <summary>
/// Who holds the locks of the C library that store no owner, where exactly one can: a thread whose function that takes the lock a handler of signals interrupted,
/// and which goes on only when the handler returns; or nobody who is left, in a process with one thread. A thread that is inside of such a function by
/// itself will leave it, so that nothing is said while there is one; nor where a stack is not known to its end, or a thread executes code of the library without
/// a name.
/// </summary>
internal static class LibraryLockOwners
{
    /// <summary>The holders, never better known than <see cref="Grade.Derived"/>.</summary>
    /// <param name="threads">All threads, each with its stack.</param>
    /// <param name="waits">Who waits.</param>
    /// <param name="locks">The locks.</param>
    /// <param name="memoryIsOfAnother">True where the process runs in the memory of another one, whose threads are not listed.</param>
    public static IEnumerable<OwnershipFact> Find(
        (ElfThread Thread, ThreadStack Stack)[] threads, IReadOnlyList<WaitFact> waits, IReadOnlyDictionary<Resource, LibraryLock> locks, bool memoryIsOfAnother)
    {
        if (locks.Count == 0 || memoryIsOfAnother
            || threads.Any(t => t.Stack.End != StackEnd.Complete || t.Stack.Frames.Any(f => f.Trust < FrameTrust.UnwindInfo) || IsSomewhereInside(t.Thread, t.Stack.Frames)))
        {
            yield break;
        }

        Place[] inside = [.. threads.SelectMany(t => Inside(t.Thread.Id, t.Stack.Frames))];
        foreach ((Resource resource, LibraryLock taken) in locks)
        {
            HashSet<uint> waiters = [.. waits.Where(w => w.Resource == resource).Select(w => w.ThreadId)];
            Place[] candidates = [.. inside.Where(i => i.Lock == taken && !(i.IsInnermost && waiters.Contains(i.Thread)))];
            if (taken.IsKnown && candidates is [{ Signal: { } signal } only])
            {
                yield return new OwnershipFact(resource, only.Thread, true, null, Grade.Derived,
                [
                    new Evidence(EvidenceSource.Stack,
                        $"a handler of {LinuxSignals.NameOf(signal.Signal)} interrupted {SafeText.Clean(only.Function.Called)} of the C library, which takes this lock",
                        only.Function.InstructionPointer),
                    new Evidence(EvidenceSource.Rule, "no other thread is inside a function that takes this lock"),
                ]);
            }
            else if (candidates.Length == 0 && threads.Length == 1)
            {
                yield return new OwnershipFact(resource, 0, false, null, Grade.Derived,
                [
                    new Evidence(EvidenceSource.Rule, "the process has one thread, which waits for the lock and is inside no other function that takes it"),
                ])
                {
                    OwnerDescription = "a thread",
                };
            }
        }
    }

    /// <summary>True for a thread that executes code of the C library without a name: it may be inside of any function.</summary>
    private static bool IsSomewhereInside(ElfThread thread, ImmutableArray<StackFrame> frames) =>
        thread.SystemCall is null or < 0 && frames is [{ Called: null } innermost, ..] && LibraryEntry.IsC(innermost.Module);

    /// <summary>
    /// The C library's functions that take such locks and in which a thread stands, wherever on its stack they are: the library also calls others, which may wait.
    /// A function that a handler interrupted while it waited for a lock does not have it.
    /// </summary>
    private static IEnumerable<Place> Inside(uint thread, ImmutableArray<StackFrame> frames)
    {
        StackFrame? signal = null;
        for (int first = 0, next; first < frames.Length; first = next)
        {
            next = first + 1;
            if (frames[first].IsOfSignal)
            {
                signal = frames[first];
                continue;
            }

            if (!LibraryEntry.IsC(frames[first].Module))
            {
                signal = null;
                continue;
            }

            while (next < frames.Length && LibraryEntry.IsC(frames[next].Module) && !frames[next].IsOfSignal)
            {
                next++;
            }

            bool waits = signal is not null && frames[first].Called == LibraryLock.Wait;
            foreach ((int depth, (LibraryLock taken, StackFrame function)) in LibraryLock.Of(frames[first..next]).Index())
            {
                if (!waits || depth > 0)
                {
                    yield return new Place(thread, taken, function, signal, first == 0 && depth == 0);
                }
            }

            signal = null;
        }
    }

    /// <summary>A function in which a thread stands and that takes a lock.</summary>
    /// <param name="Thread">The thread.</param>
    /// <param name="Lock">The lock.</param>
    /// <param name="Function">The function's frame.</param>
    /// <param name="Signal">The frame of the handler that interrupted it; null where it was not.</param>
    /// <param name="IsInnermost">True for the innermost one of the thread: one for whose lock it may wait.</param>
    private sealed record Place(uint Thread, LibraryLock Lock, StackFrame Function, StackFrame? Signal, bool IsInnermost);
}
