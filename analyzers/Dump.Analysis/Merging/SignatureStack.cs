using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Globalization;
using Dump.Analysis.Names;
using Dump.Model;
using Dump.Model.Process;
using Dump.Model.Reported;

namespace Dump.Analysis.Merging;

/// <summary>
/// A stack as far as it is the same in every dump of the same hang. Functions of libraries that are compiled into the program do not count: how many of them
/// are on the stack is up to the compiler and its options, and they are the same in every program. Guessed frames and frames without module and name do not count, recursion counts once, and
/// of neighbouring frames of the platform only one: the function of the loader among them, else the outermost with a name, which is what the program called. So
/// neither symbols of the system nor its version change the result.
/// </summary>
internal sealed class SignatureStack
{
    private const int MostWaiting = 4;
    private const int MostRunning = 4;
    private const string Collections = "System.Collections.";
    private readonly ImmutableArray<SignatureEntry> _all;
    private readonly ImmutableArray<SignatureEntry> _entries;

    /// <summary>Keeps what recursion repeats too: what is met first depends on where one begins.</summary>
    private SignatureStack(ImmutableArray<SignatureEntry> all)
    {
        _all = all;
        _entries = [.. all.DistinctBy(e => e.Text)];
    }

    /// <summary>Reads a stack.</summary>
    /// <param name="frames">Innermost first.</param>
    /// <param name="system">File names, in lower case, of the modules that the dump says are the system's.</param>
    public static SignatureStack Of(ImmutableArray<ReportedFrame> frames, HashSet<string> system)
    {
        List<SignatureEntry> entries = [];
        List<(string Module, string? Function)> run = [];
        foreach (ReportedFrame frame in frames.Where(f => f.Trust > FrameTrust.Scan && (f.Module is not null || f.Function is not null)))
        {
            string? function = (frame.Function ?? frame.EnteredAs) is { } name ? FunctionNames.Normal(name) : null;
            if (function is not null && SignatureFunctions.IsStub(function))
            {
                continue;
            }

            string module = frame.Module is null ? "" : ModuleNames.Normal(frame.Module);
            if (frame.Module is not null && ModuleNames.IsPlatform(module, system.Contains(frame.Module.ToLowerInvariant())))
            {
                run.Add((module, function));
                continue;
            }

            if (LibraryCode.Contains(frame))
            {
                continue;
            }

            Add(entries, Platform(run));
            run.Clear();
            foreach (InlinedCall inlined in frame.Inlined)
            {
                Add(entries, OfProgram(module, FunctionNames.Normal(inlined.Function), frame with { ModuleOffset = null }));
            }

            if (LibraryCode.IsFunctionOf(frame))
            {
                continue;
            }

            if (function is null || !SignatureFunctions.IsBeginning(function))
            {
                Add(entries, OfProgram(module, function, frame));
            }
        }

        Add(entries, Platform(run));
        return new SignatureStack([.. entries]);
    }

    private static SignatureEntry OfProgram(string module, string? function, ReportedFrame frame) => new(
        module.Length == 0 ? function ?? "?" : $"{module}!{function ?? "?"}", false, false, false, false, frame.Module,
        function is null ? frame.ModuleOffset : null);

    /// <summary>
    /// The stack from a collection's method outwards, where there is one: of a thread inside of a collection, what lies further in (keys that compare
    /// themselves, a handler that catches what the collection throws) differs from moment to moment.
    /// </summary>
    public SignatureStack FromCollection()
    {
        int start = 0;
        while (start < _all.Length && !_all[start].Text.StartsWith(Collections, StringComparison.Ordinal))
        {
            start++;
        }

        return start == _all.Length ? this : new SignatureStack(_all[start..]);
    }

    /// <summary>Of a thread that stands still: what is next to where it waits, and the loader that called it.</summary>
    /// <param name="most">Most entries besides the loader's.</param>
    public ImmutableArray<SignatureEntry> Waiting(int most = MostWaiting)
    {
        ImmutableArray<SignatureEntry> inner = Inner(WithoutWait(_entries));
        return [.. inner.Take(most), .. inner.Skip(most).Where(e => e.IsLoader).Take(1)];
    }

    /// <summary>
    /// Of a thread that runs: where it is differs from moment to moment, where it came from does not. The
    /// innermost functions are left out as long as two remain, then the outermost ones are taken.
    /// </summary>
    public ImmutableArray<SignatureEntry> Running()
    {
        // Of the function that runs, the place is that of its next instruction: another one at each moment.
        ImmutableArray<SignatureEntry> running = _entries is [var first, .. var callers] ? [first with { Offset = null }, .. callers] : _entries;
        ImmutableArray<SignatureEntry> inner = Inner(WithoutWait(running));
        int kept = Math.Min(MostRunning, inner.Length > 2 ? inner.Length - 1 : inner.Length);
        return [.. inner[(inner.Length - kept)..]];
    }

    /// <summary>
    /// Of a thread that fails: where it does, and who called that. Functions by which a program only throws say nothing, and neither does the wait for the
    /// program that writes the dump, as the .NET runtime starts one. A place without a name counts with its offset: crashes in different functions are different
    /// ones.
    /// </summary>
    public ImmutableArray<SignatureEntry> Failing()
    {
        ImmutableArray<SignatureEntry> inner = Inner(_entries);
        if (inner is [{ IsPlatform: true } first, .. { Length: > 0 } callers] && (first.IsWait || SignatureFunctions.IsThrow(first.Text)))
        {
            inner = callers;
        }

        return [.. inner.Take(MostRunning).Select((e, i) => i == 0 && e.Offset is { } offset
            ? e with { Text = string.Create(CultureInfo.InvariantCulture, $"{ModuleNames.Normal(e.Module!)}+0x{offset:x}") }
            : e)];
    }

    /// <summary>Everything, with the wait, as of a thread of which nothing else is known.</summary>
    /// <param name="most">Most entries.</param>
    public ImmutableArray<SignatureEntry> Whole(int most) => [.. _entries.Take(most)];

    private static ImmutableArray<SignatureEntry> WithoutWait(ImmutableArray<SignatureEntry> entries) =>
        entries is [{ IsWait: true, IsLoader: false }, .. var rest] ? [.. rest] : entries;

    /// <summary>Without the message loop and what called it, and without the platform's frames at the outer end, unless there are no others.</summary>
    private static ImmutableArray<SignatureEntry> Inner(ImmutableArray<SignatureEntry> entries)
    {
        int loop = 1;
        while (loop < entries.Length && !entries[loop].IsUserInterface)
        {
            loop++;
        }

        ImmutableArray<SignatureEntry> inner = [.. entries.Take(loop)];
        int end = inner.Length;
        while (end > 0 && inner[end - 1] is { IsPlatform: true, IsLoader: false })
        {
            end--;
        }

        return end == 0 ? inner : inner[..end];
    }

    /// <summary>What neighbouring frames of the platform amount to, or null when none of them says anything.</summary>
    private static SignatureEntry? Platform(List<(string Module, string? Function)> run)
    {
        (string Module, string Function)[] named =
        [
            .. run.Where(f => f.Function is not null && (!SignatureFunctions.IsBeginning(f.Function) || SignatureFunctions.IsLoader(f.Function)))
                .Select(f => (f.Module, Api(f.Module, f.Function!))),
        ];
        if (named.Length == 0)
        {
            return null;
        }

        int loader = Array.FindIndex(named, f => f.Module == ModuleNames.WindowsBase && SignatureFunctions.IsLoader(f.Function));
        (string module, string function) = loader >= 0 ? named[loader] : named[^1];
        bool isBare = module == ModuleNames.WindowsBase || function.StartsWith("System.", StringComparison.Ordinal)
            || function.StartsWith("Microsoft.", StringComparison.Ordinal);
        return new SignatureEntry(
            isBare ? function : $"{module}!{function}", true, loader >= 0, SignatureFunctions.IsWait(function), run.Any(f => f.Module is "user32" or "win32u"),
            null, null);
    }

    private static string Api(string module, string function) =>
        function.Contains('.', StringComparison.Ordinal) || module.StartsWith("system", StringComparison.Ordinal) ? function : SignatureFunctions.Api(function);

    private static void Add(List<SignatureEntry> entries, SignatureEntry? entry)
    {
        if (entry is not null && (entries.Count == 0 || entries[^1].Text != entry.Text))
        {
            entries.Add(entry);
        }
    }
}

/// <summary>Functions of the platform that a signature treats in a special way.</summary>
internal static class SignatureFunctions
{
    // Where every thread and program begins; which of them are named differs by symbols and C runtime.
    private static readonly FrozenSet<string> s_beginnings = FrozenSet.Create(
        StringComparer.Ordinal,
        "BaseThreadInitThunk", "BaseThreadStart", "BaseProcessStart", "RtlUserThreadStart", "_RtlUserThreadStart", "__RtlUserThreadStart", "RtlpCallUserThread",
        "call_thread_func", "call_thread_entry", "start_thread", "clone", "clone3", "__clone", "__clone3", "_start", "__libc_start_main",
        "__libc_start_call_main", "start", "thread_start", "thread_proxy", "execute_native_thread_routine", "mainCRTStartup", "wmainCRTStartup",
        "WinMainCRTStartup", "wWinMainCRTStartup", "__tmainCRTStartup", "__scrt_common_main", "__scrt_common_main_seh", "invoke_main", "_beginthreadex",
        "_threadstartex", "_threadstart");

    // What a thread does in the loader says more than by which function of the application interface it came there.
    private static readonly FrozenSet<string> s_loader = FrozenSet.Create(
        StringComparer.Ordinal,
        "LdrLoadDll", "LdrUnloadDll", "LdrShutdownThread", "LdrShutdownProcess", "LdrInitializeThunk", "LdrGetDllHandle", "LdrGetProcedureAddress",
        "RtlExitUserProcess");

    // By these a program throws, and the system and the runtime dispatch what was thrown: which of them stand on the stack depends on who wrote the dump.
    private static readonly FrozenSet<string> s_throws = FrozenSet.Create(
        StringComparer.Ordinal, "RaiseException", "RtlRaiseException", "KiUserExceptionDispatcher", "KiUserExceptionDispatch");

    private static readonly FrozenSet<string> s_waits = FrozenSet.Create(
        StringComparer.Ordinal,
        "WaitForSingleObject", "WaitForMultipleObjects", "SignalObjectAndWait", "Sleep", "SwitchToThread", "EnterCriticalSection", "RtlEnterCriticalSection",
        "RtlpEnterCriticalSection", "RtlpEnterCriticalSectionContended", "RtlpWaitForCriticalSection", "RtlpWaitOnCriticalSection", "RtlpUnWaitCriticalSection",
        "AcquireSRWLockExclusive", "AcquireSRWLockShared", "RtlAcquireSRWLockExclusive", "RtlAcquireSRWLockShared", "SleepConditionVariableCS",
        "SleepConditionVariableSRW", "RtlSleepConditionVariableCS", "RtlSleepConditionVariableSRW", "WaitOnAddress", "RtlWaitOnAddress", "InitOnceExecuteOnce",
        "RtlRunOnceExecuteOnce", "RtlRunOnceBeginInitialize", "InitOnceBeginInitialize", "RtlDelayExecution", "futex", "syscall", "__lll_lock_wait",
        "__futex_abstimed_wait_common", "poll", "epoll_wait", "nanosleep", "clock_nanosleep", "sched_yield",

        // Of the C++ libraries: which of them are in the library and which in its headers differs, and with them whether the system's call is below.
        "std::mutex::lock", "std::__1::mutex::lock", "std::__1::recursive_mutex::lock", "std::__1::timed_mutex::lock", "std::__1::recursive_timed_mutex::lock",
        "std::__1::shared_mutex::lock", "std::__1::shared_mutex::lock_shared", "std::condition_variable::wait", "std::__1::condition_variable::wait",
        "std::thread::join", "std::__1::thread::join");

    private static readonly string[] s_waitBeginnings =
    [
        "NtWait", "ZwWait", "NtDelay", "ZwDelay", "NtYield", "ZwYield", "NtSignalAndWait", "pthread_", "__pthread_", "___pthread_", "sem_", "System.Threading.",
        "System.Runtime.CompilerServices.", "NtUserMsgWait", "RealMsgWait", "MsgWait",
    ];

    /// <summary>True for a function with which every thread or program begins.</summary>
    public static bool IsBeginning(string function) => s_beginnings.Contains(function);

    /// <summary>True for a function of the loader that tells what the thread does there.</summary>
    public static bool IsLoader(string function) => s_loader.Contains(function);

    /// <summary>True for a function that only waits: what for is said by the kind of the resource.</summary>
    public static bool IsWait(string function) => s_waits.Contains(function) || s_waitBeginnings.Any(b => function.StartsWith(b, StringComparison.Ordinal));

    /// <summary>True for a function of the platform by which exceptions are thrown or dispatched.</summary>
    public static bool IsThrow(string function) => s_throws.Contains(function) || function.StartsWith("System.Runtime.EH.", StringComparison.Ordinal);

    /// <summary>True for code that the .NET runtime makes around a call into native code: small dumps do not have it.</summary>
    public static bool IsStub(string function) => function.TrimStart('.').StartsWith("IL_STUB", StringComparison.Ordinal);

    /// <summary>
    /// A function of the Windows base without what only tells its variants apart: <c>A</c>, <c>W</c> and <c>Ex</c> call each other, with or without leaving a
    /// frame, and <c>Stub</c> and <c>Implementation</c> are internal names of some versions.
    /// </summary>
    public static string Api(string function)
    {
        string name = function;
        foreach (string suffix in (ReadOnlySpan<string>)["Stub", "Implementation", "ForCaller"])
        {
            name = name.EndsWith(suffix, StringComparison.Ordinal) && name.Length > suffix.Length ? name[..^suffix.Length] : name;
        }

        if (name.Length > 3 && name[^1] is 'A' or 'W' && (char.IsLower(name[^2]) || name.EndsWith("Ex" + name[^1], StringComparison.Ordinal)))
        {
            name = name[..^1];
        }

        return name.EndsWith("Ex", StringComparison.Ordinal) && name.Length > 4 ? name[..^2] : name;
    }
}

/// <summary>
/// One step of a normalised stack: a function of the program, or the function by which the program entered the platform or the platform called the program.
/// </summary>
/// <param name="Text">What the signature says.</param>
/// <param name="IsPlatform">True for a run of frames of the system, a runtime or a framework.</param>
/// <param name="IsLoader">True when the run is the loader, which calls or loads modules there.</param>
/// <param name="IsWait">True when the run only waits.</param>
/// <param name="IsUserInterface">True when the run goes through the window manager.</param>
/// <param name="Module">File name of the module, or null.</param>
/// <param name="Offset">For a function of the program without a name, its place in the module; else null.</param>
internal sealed record SignatureEntry(string Text, bool IsPlatform, bool IsLoader, bool IsWait, bool IsUserInterface, string? Module, ulong? Offset);
