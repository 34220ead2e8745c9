using System.Collections.Immutable;
using Dump.Model.Process;

namespace Dump.Readers.Linux.Waits;

/// <summary>The function of the C or C++ library by which a program came into the wait that its thread is in.</summary>
/// <param name="Index">Index of its frame.</param>
/// <param name="Function">Its name, without a version.</param>
/// <param name="IsCpp">True for one of libstdc++, false for one of glibc.</param>
internal sealed record LibraryEntry(int Index, string Function, bool IsCpp)
{
    private const string SystemCallFunction = "syscall";

    private static readonly string[] s_waits =
    [
        "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait", "sem_wait", "sem_timedwait", "sem_clockwait", "pthread_barrier_wait",
        "pthread_once",
    ];

    /// <summary>
    /// The function that waits among the C library's own frames, which are the innermost ones, or the first one with a name that programs can call: with debug
    /// files its inner parts have names too (<c>__futex_abstimed_wait_common</c>). Where that is the bare system call, the one of the C++ library that made it.
    /// Null where the innermost frame is no library's, or no such function has a name.
    /// </summary>
    /// <param name="frames">The frames of the thread.</param>
    public static LibraryEntry? Of(ImmutableArray<StackFrame> frames)
    {
        LibraryEntry? first = null;
        for (int i = 0; i < frames.Length && IsC(frames[i].Module); i++)
        {
            string? function = frames[i].EnteredAs ?? frames[i].Function;
            if (function == SystemCallFunction && first is null)
            {
                return i + 1 < frames.Length && IsCppLibrary(frames[i + 1].Module) && frames[i + 1].Function is { } caller
                    ? new LibraryEntry(i + 1, caller, true)
                    : null;
            }

            if (s_waits.Contains(function) || (function is not null && MallocArena.IsAsked(function)))
            {
                return new LibraryEntry(i, function!, false);
            }

            if (function?.StartsWith('_') == false)
            {
                first ??= new LibraryEntry(i, function, false);
            }
        }

        return first;
    }

    /// <summary>True for the C library and the C++ library.</summary>
    public static bool IsOfLibrary(string? module) => IsC(module) || IsCppLibrary(module);

    /// <summary>True for glibc's own file; before 2.34 its threads had one of their own, and files had the version in their names.</summary>
    public static bool IsC(string? module) => module is "libc.so.6" or "libpthread.so.0"
        || (module is not null && module.EndsWith(".so", StringComparison.Ordinal)
            && (module.StartsWith("libc-2.", StringComparison.Ordinal) || module.StartsWith("libpthread-2.", StringComparison.Ordinal)));

    /// <summary>True where one of the modules is glibc's; a program that is linked statically has the library's functions itself.</summary>
    public static bool IsAmong(ImmutableArray<ModuleSnapshot> modules) => modules.Any(m => IsC(m.Name));

    // The name that programs ask for is a link to the file, which has the whole version.
    private static bool IsCppLibrary(string? module) =>
        module is not null && (module == "libstdc++.so.6" || module.StartsWith("libstdc++.so.6.", StringComparison.Ordinal));
}
