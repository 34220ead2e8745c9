using System.Buffers.Binary;
using System.Collections.Immutable;
using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;
using Dump.Readers.Linux.Locks;

namespace Dump.Readers.Linux.Waits;

/// <summary>
/// Asks of each wait for a native lock that its thread stands in a call which takes a lock of that kind. Memory alone proves nothing: libraries and programs
/// have locks of their own make whose neighbours look like an owner (Rust's <c>Mutex</c>, <c>std::latch</c>), and the C library takes bare words inside of
/// functions with other tasks (<c>__check_pf</c> under <c>getaddrinfo</c>).
/// </summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="candidates">The waits as memory shows them.</param>
/// <param name="modules">The process' modules.</param>
/// <param name="functionAt">Name of the function that an address lies in, as its library's symbols have it; null where none does.</param>
internal sealed class LockCalls(
    IMemory memory, NativeLockFacts candidates, ImmutableArray<ModuleSnapshot> modules, Func<ulong, string?> functionAt)
{
    // __lll_lock_wait, __pthread_mutex_cond_lock: parts of a call that have no name where the library's symbols are its exports.
    private const int MostUnnamed = 3;

    // The frames below a lock function and the registers that they keep (musl src/thread/__timedwait.c, src/internal/syscall.h; glibc nptl/lowlevellock.c).
    private const int MostBytesBelow = 512;
    private const string Inner = "__GI_";
    private const string StreamPart = "IO_";

    /// <summary>What waits and wakes below the functions of all kinds (glibc nptl/lowlevellock.c, futex-internal.c; musl src/thread), without leading underscores.</summary>
    private static readonly string[] s_below =
    [
        "lll_lock_wait", "lll_lock_wait_private", "lll_timedlock_wait", "lll_clocklock_wait", "lll_wait_tid", "lll_timedwait_tid", "lll_clockwait_tid",
        "futex_wait", "futex_wait_simple", "futex_abstimed_wait64", "futex_abstimed_wait_cancelable64", "futex_abstimed_wait_common",
        "futex_abstimed_wait_common64", "futex_lock_pi64", "syscall_cp", "syscall_cp_asm", "syscall_cp_c", "sccp", "cp_begin", "cp_end", "timedwait",
        "timedwait_cp", "wait", "futexwait", "futex4", "futex4_cp",
    ];

    private static readonly string[] s_mutex =
    [
        "pthread_mutex_lock", "pthread_mutex_lock_full", "pthread_mutex_timedlock", "pthread_mutex_timedlock_pi", "pthread_mutex_clocklock",
        "pthread_mutex_clocklock_common", "pthread_mutex_cond_lock", "pthread_mutex_cond_lock_full", "pthread_cond_wait", "pthread_cond_timedwait",
        "pthread_cond_clockwait",
    ];

    private static readonly string[] s_readerWriterLock =
    [
        "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_rwlock_timedrdlock", "pthread_rwlock_timedwrlock", "pthread_rwlock_clockrdlock",
        "pthread_rwlock_clockwrlock", "pthread_rwlock_rdlock_full64", "pthread_rwlock_wrlock_full64", "pthread_rwlock_rdlock_full",
        "pthread_rwlock_wrlock_full",
    ];

    private static readonly string[] s_join =
    [
        "pthread_join", "pthread_timedjoin_np", "pthread_clockjoin_np", "thrd_join", "pthread_clockjoin_ex", "pthread_timedjoin_ex",
    ];

    /// <summary>Functions that take a stream's lock (glibc libio), checked ones (<c>__fprintf_chk</c>) and the library's own names (<c>_IO_fwrite</c>) aside.</summary>
    private static readonly string[] s_stream =
    [
        "flockfile", "fclose", "fflush", "fgetc", "fgetpos", "fgetpos64", "fgets", "fgetwc", "fgetws", "fopen", "fprintf", "fputc", "fputs", "fputwc", "fputws",
        "fread", "freopen", "freopen64", "fscanf", "fseek", "fseeko", "fseeko64", "fsetpos", "fsetpos64", "ftell", "ftello", "ftello64", "fwide", "fwprintf",
        "fwrite", "fwscanf", "getc", "getchar", "getdelim", "getline", "gets", "getw", "getwc", "getwchar", "perror", "printf", "psiginfo", "psignal", "putc",
        "putchar", "puts", "putw", "putwc", "putwchar", "rewind", "scanf", "setbuf", "setbuffer", "setlinebuf", "setvbuf", "ungetc", "ungetwc", "vfprintf",
        "vfscanf", "vfwprintf", "vfwscanf", "vprintf", "vscanf", "vwprintf", "vwscanf", "wprintf", "wscanf", "fcloseall", "exit", "clearerr", "feof", "ferror",
    ];

    private readonly bool _hasLibrary = LibraryEntry.IsAmong(modules);

    /// <summary>The candidates whose threads stand in a call for a lock of that kind, with the call as evidence.</summary>
    /// <param name="threads">The threads, each with its stack; functions of the C library have their names.</param>
    public NativeLockFacts Confirmed(IEnumerable<(ElfThread Thread, ThreadStack Stack)> threads)
    {
        Dictionary<uint, (ElfThread Thread, ThreadStack Stack)> byId = threads.DistinctBy(t => t.Thread.Id).ToDictionary(t => t.Thread.Id);
        ImmutableArray<WaitFact> waits =
        [
            .. from wait in candidates.Waits
               where byId.ContainsKey(wait.ThreadId)
               let thread = byId[wait.ThreadId]
               let call = Call(wait.Resource.Kind, thread.Thread, thread.Stack.Frames)
               where call is not null
               select wait with { Evidence = wait.Evidence.Add(call) },
        ];
        HashSet<Resource> waited = [.. waits.Select(w => w.Resource)];
        return candidates with
        {
            Waits = waits,
            Ownerships = [.. candidates.Ownerships.Where(o => waited.Contains(o.Resource))],
            States = candidates.States.RemoveRange(candidates.States.Keys.Where(r => !waited.Contains(r))),
        };
    }

    private Evidence? Call(ResourceKind kind, ElfThread thread, ImmutableArray<StackFrame> frames) =>
        candidates.Descriptors?.LibraryOf(thread) == CLibrary.Musl || (!_hasLibrary && frames.Length == 1) ? OnStack(kind, frames) : InFrames(kind, frames);

    /// <summary>The innermost frame with a name that is no mere wait; parts without a name may stand below it, if they are the library's.</summary>
    private Evidence? InFrames(ResourceKind kind, ImmutableArray<StackFrame> frames)
    {
        int unnamed = 0;
        for (int i = 0; i < frames.Length && IsOfLibrary(frames[i], frames[0]); i++)
        {
            string? function = frames[i].EnteredAs ?? frames[i].Function;
            if (function is null)
            {
                if (++unnamed > MostUnnamed)
                {
                    return null;
                }
            }
            else if (!s_below.Contains(Plain(function)))
            {
                return Takes(kind, function) ? new Evidence(EvidenceSource.Stack, $"frame {i} is {Plain(function)} of the C library") : null;
            }
        }

        return null;
    }

    /// <summary>
    /// musl and programs that are linked statically may have no tables by which their frames could be walked: the first address of a function of theirs on the
    /// stack is where the wait returns to.
    /// </summary>
    private Evidence? OnStack(ResourceKind kind, ImmutableArray<StackFrame> frames)
    {
        if (frames is not [{ Module: { } library } innermost, ..])
        {
            return null;
        }

        ModuleSnapshot[] parts = [.. modules.Where(m => m.Name == library)];
        byte[] stack = new byte[MostBytesBelow];
        int length = memory.Read(innermost.StackPointer & ~(sizeof(ulong) - 1UL), stack);
        IEnumerable<ulong> places = Enumerable.Range(0, length / sizeof(ulong))
            .Select(i => BinaryPrimitives.ReadUInt64LittleEndian(stack.AsSpan(i * sizeof(ulong))))
            .Where(a => parts.Any(m => a >= m.BaseAddress && a - m.BaseAddress < m.Size));
        string? function = places.Prepend(innermost.InstructionPointer).Select(functionAt).FirstOrDefault(f => f is not null && !s_below.Contains(Plain(f)));
        return function is not null && Takes(kind, function) ? new Evidence(EvidenceSource.Stack, $"the wait returns to {Plain(function)} of the C library") : null;
    }

    private static bool Takes(ResourceKind kind, string function)
    {
        string plain = Plain(function);
        return kind switch
        {
            ResourceKind.PthreadMutex or ResourceKind.DynamicLoaderLock => s_mutex.Contains(plain),
            ResourceKind.PthreadReaderWriterLock => s_readerWriterLock.Contains(plain),
            ResourceKind.Thread => s_join.Contains(plain),
            ResourceKind.StreamLock => s_stream.Contains(plain) || plain.StartsWith(StreamPart, StringComparison.Ordinal)
                || (plain.EndsWith("_chk", StringComparison.Ordinal) && s_stream.Contains(plain[..^"_chk".Length])),
            _ => false,
        };
    }

    /// <summary>In a program that is linked statically, the library's functions are the program's own.</summary>
    private bool IsOfLibrary(StackFrame frame, StackFrame innermost) =>
        LibraryEntry.IsC(frame.Module) || (!_hasLibrary && frame.Module is not null && frame.Module == innermost.Module);

    /// <summary>The name that programs use for a function of the library, which has others for itself.</summary>
    private static string Plain(string function) =>
        (function.StartsWith(Inner, StringComparison.Ordinal) ? function[Inner.Length..] : function).TrimStart('_');
}
