using System.Collections.Frozen;

namespace Dump.Analysis.Merging;

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
