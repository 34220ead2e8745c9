using System.Collections.Frozen;
using Dump.Model.Process;
using Dump.Readers.Elf;
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
