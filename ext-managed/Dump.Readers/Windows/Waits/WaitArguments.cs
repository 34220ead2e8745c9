using System.Collections.Frozen;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Instructions;
using Dump.Readers.Registers;

namespace Dump.Readers.Windows.Waits;

/// <summary>
/// What a thread gave to the wait function that its own code called, as far as that code shows. Win32 and native functions differ in the order of their
/// arguments, and native ones take the time limit by address: a program, or a hook inside the system's libraries, may call either.
/// </summary>
/// <param name="Handle">The handle of a wait for one object; null when unknown.</param>
/// <param name="Count">How many objects; null when unknown or a wait for one.</param>
/// <param name="Array">Address of the handles; null when unknown or a wait for one.</param>
/// <param name="WaitsForAll">True when all objects must be signalled; null when unknown.</param>
/// <param name="Timeout">Time limit.</param>
/// <param name="Milliseconds">The limit in milliseconds; null when unknown or none.</param>
internal sealed record WaitArguments(ulong? Handle, uint? Count, ulong? Array, bool? WaitsForAll, WaitTimeout Timeout, long? Milliseconds)
{
    private const uint InfiniteMilliseconds = uint.MaxValue;
    private const long TicksPerMillisecond = 10_000;

    /// <summary>Address of the lock, condition variable or word that is waited on; null when unknown or a wait for handles.</summary>
    public ulong? Address { get; init; }

    /// <summary>Nothing is known.</summary>
    public static WaitArguments Unknown { get; } = new(null, null, null, null, WaitTimeout.Unknown, null);

    /// <summary>Whether an asynchronous procedure call ends the wait; null when unknown.</summary>
    public bool? IsAlertable { get; init; }

    /// <summary>Reads them from the code of the frame that called the wait function.</summary>
    /// <param name="process">The process.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="caller">Index of the calling frame; the frame before it is the wait function.</param>
    public static WaitArguments Read(WindowsProcess process, WindowsThread thread, int caller)
    {
        if (thread.SystemCall is var (systemCall, _) && SystemCallArgument.OnStack(process, thread, 0) is not null)
        {
            return OfSystemCall(process, systemCall, i => SystemCallArgument.OnStack(process, thread, i));
        }

        // What stands in the code of a guessed caller need not be what was called.
        if (caller < 1 || caller >= thread.Walked.Count || thread.Frames[caller].Trust == FrameTrust.Scan
            || thread.Frames[caller - 1].Called is not { } function)
        {
            return Unknown;
        }

        CallArguments call = CallSiteReader.Read(process.Dump, thread.Walked[caller]);
        return function switch
        {
            "WaitForSingleObject" or "WaitForSingleObjectEx" => Single(call.First, InMilliseconds(call.Second)) with
            {
                IsAlertable = CalledAs(process, thread, caller) is null or "WaitForSingleObjectEx" ? IsTrue(call.Third) : null,
            },
            "SignalObjectAndWait" => Single(call.Second, InMilliseconds(call.Third)) with { IsAlertable = IsTrue(call.Fourth) },
            "WaitForMultipleObjects" or "WaitForMultipleObjectsEx" =>
                Multiple(call, call.Third is { } all ? (uint)all != 0 : null, InMilliseconds(call.Fourth)) with
                {
                    IsAlertable = CalledAs(process, thread, caller) is null or "WaitForMultipleObjectsEx"
                        ? IsTrue(PassedArguments.Fifth(process.Dump, thread.Walked[caller])) : null,
                },
            "NtWaitForSingleObject" or "ZwWaitForSingleObject" =>
                Single(call.First, ByAddress(process.Dump, call.Third)) with { IsAlertable = IsTrue(call.Second) },
            "NtSignalAndWaitForSingleObject" or "ZwSignalAndWaitForSingleObject" =>
                Single(call.Second, ByAddress(process.Dump, call.Fourth)) with { IsAlertable = IsTrue(call.Third) },

            // WAIT_TYPE: WaitAll is 0, WaitAny is 1 (wdm.h); the time limit is the fifth argument, which lies on the stack.
            "NtWaitForMultipleObjects" or "ZwWaitForMultipleObjects" =>
                Multiple(call, call.Third is { } type ? (uint)type == 0 : null, (WaitTimeout.Unknown, null)),
            "RtlAcquireSRWLockExclusive" or "RtlAcquireSRWLockShared" or "AcquireSRWLockExclusive" or "AcquireSRWLockShared"
                or "RtlRunOnceExecuteOnce" or "RtlRunOnceBeginInitialize" or "InitOnceExecuteOnce" or "InitOnceBeginInitialize" =>
                    AtAddress(call.First, (WaitTimeout.Infinite, null)),
            "TpWaitForWork" or "TpWaitForTimer" or "TpWaitForWait" or "TpWaitForIoCompletion" or "WaitForThreadpoolWorkCallbacks"
                or "WaitForThreadpoolTimerCallbacks" or "WaitForThreadpoolWaitCallbacks" or "WaitForThreadpoolIoCallbacks" =>
                    AtAddress(call.First, (WaitTimeout.Infinite, null)),
            "WaitOnAddress" => AtAddress(call.First, InMilliseconds(call.Fourth)),
            "RtlWaitOnAddress" => AtAddress(call.First, ByAddress(process.Dump, call.Fourth)),
            "SleepConditionVariableCS" or "SleepConditionVariableSRW" => AtAddress(call.First, InMilliseconds(call.Third)),
            "RtlSleepConditionVariableCS" or "RtlSleepConditionVariableSRW" => AtAddress(call.First, ByAddress(process.Dump, call.Third)),

            // The key is the second argument: the address that the waiter and its waker agree on.
            "NtWaitForKeyedEvent" or "ZwWaitForKeyedEvent" => AtAddress(call.Second, ByAddress(process.Dump, call.Fourth)),
            "Sleep" => Single(null, InMilliseconds(call.First)),
            "SleepEx" => Single(null, InMilliseconds(call.First)) with
            {
                IsAlertable = CalledAs(process, thread, caller) is null or "SleepEx" ? IsTrue(call.Second) : null,
            },
            "NtDelayExecution" or "ZwDelayExecution" => Single(null, OfSleep(process.Dump, call.Second)) with { IsAlertable = IsTrue(call.First) },
            _ => Unknown,
        };
    }

    /// <summary>The arguments of the system call itself, where they lie on the stack.</summary>
    private static WaitArguments OfSystemCall(WindowsProcess process, string systemCall, Func<int, uint?> argument) => systemCall switch
    {
        "NtWaitForSingleObject" => Single(argument(0), ByAddress(process.Dump, argument(2))) with { IsAlertable = IsTrue(argument(1)) },
        "NtSignalAndWaitForSingleObject" => Single(argument(1), ByAddress(process.Dump, argument(3))) with { IsAlertable = IsTrue(argument(2)) },

        // WAIT_TYPE: WaitAll is 0, WaitAny is 1 (wdm.h).
        "NtWaitForMultipleObjects" =>
            new WaitArguments(null, argument(0), argument(1), argument(2) is { } type ? type == 0 : null, WaitTimeout.Unknown,
                null).Limited(ByAddress(process.Dump, argument(4))) with { IsAlertable = IsTrue(argument(3)) },
        "NtDelayExecution" => Single(null, OfSleep(process.Dump, argument(1))) with { IsAlertable = IsTrue(argument(0)) },
        _ => Unknown,
    };

    /// <summary>The same, with the limit that the system call itself was given where the caller's code shows none.</summary>
    public WaitArguments OrLimitOfCall(WindowsProcess process, WindowsThread thread) =>
        Timeout == WaitTimeout.Unknown ? Limited(SystemCallTimeLimit.Read(process, thread)) : this;

    private WaitArguments Limited((WaitTimeout Kind, long? Milliseconds) limit) => this with { Timeout = limit.Kind, Milliseconds = limit.Milliseconds };

    /// <summary>
    /// The exported function that the caller's instruction leads to, or null when that is not readable. The frame may bear another name:
    /// <c>WaitForSingleObject</c> goes on with a jump into <c>WaitForSingleObjectEx</c>, and <c>Sleep</c> into <c>SleepEx</c>, whose last argument the caller
    /// did not give. Where the function is not readable, an argument that says "alertable" counts: a wait that may end is not said to be without end.
    /// </summary>
    private static string? CalledAs(WindowsProcess process, WindowsThread thread, int caller) =>
        CallTargetReader.Read(process.Dump, thread.Walked[caller]) is { } target && process.Symbols.NameOf(target, target) is { } name && name.Start == target
            ? name.Name
            : null;

    /// <summary>A BOOL or BOOLEAN: of the latter only the lowest byte counts, which compilers fill as they do the former.</summary>
    private static bool? IsTrue(ulong? argument) => argument is { } value ? (byte)value != 0 : null;

    private static WaitArguments Single(ulong? handle, (WaitTimeout Kind, long? Milliseconds) limit) =>
        new(handle, null, null, null, limit.Kind, limit.Milliseconds);

    private static WaitArguments AtAddress(ulong? address, (WaitTimeout Kind, long? Milliseconds) limit) =>
        Single(null, limit) with { Address = address };

    private static WaitArguments Multiple(CallArguments call, bool? all, (WaitTimeout Kind, long? Milliseconds) limit) =>
        new(null, (uint?)call.First, call.Second, all, limit.Kind, limit.Milliseconds);

    /// <summary>A time limit that is given in milliseconds; unknown when the argument is.</summary>
    internal static (WaitTimeout Kind, long? Milliseconds) InMilliseconds(ulong? argument) => argument switch
    {
        null => (WaitTimeout.Unknown, null),
        { } value when (uint)value == InfiniteMilliseconds => (WaitTimeout.Infinite, null),
        { } value => (WaitTimeout.Finite, (uint)value),
    };

    /// <summary>The same of a sleep, which must have a length: where none is found, something else has been written to its place.</summary>
    private static (WaitTimeout Kind, long? Milliseconds) OfSleep(IMemory memory, ulong? address) =>
        address == 0 ? (WaitTimeout.Unknown, null) : ByAddress(memory, address);

    /// <summary>
    /// A LARGE_INTEGER in units of 100 ns: absent is endless, negative is relative, positive an absolute time (wdm.h, KeWaitForSingleObject).
    /// </summary>
    internal static (WaitTimeout Kind, long? Milliseconds) ByAddress(IMemory memory, ulong? address) => address switch
    {
        null => (WaitTimeout.Unknown, null),
        0 => (WaitTimeout.Infinite, null),
        { } at => (long?)memory.ReadUInt64(at) switch
        {
            null => (WaitTimeout.Unknown, null),
            long.MinValue => (WaitTimeout.Infinite, null),

            // Rounded up: the shortest sleep is none that merely gives up the time slice.
            < 0 and var relative => (WaitTimeout.Finite, -(relative / TicksPerMillisecond) + (relative % TicksPerMillisecond == 0 ? 0 : 1)),
            0 => (WaitTimeout.Finite, 0),
            _ => (WaitTimeout.Finite, null),
        },
    };
}

/// <summary>
/// The time limit that a blocked system call was given, where the system keeps it: a pointer to a LARGE_INTEGER, null for none (wdm.h,
/// KeWaitForSingleObject). It is read only of x64 processes on real Windows 10 and later, and only where the pointer agrees with what wait functions do: they
/// keep the limit on their own stack.
/// </summary>
internal static class SystemCallTimeLimit
{
    // Behind the return address and the home of four register arguments (x64 calling convention). Seen so on 16299, 18363 and 26200.
    private const ulong FifthArgument = 0x28;

    // RDX still holds the second argument: real dumps of 14393 to 26220, NtDelayExecution on 227 of 227 threads and NtWaitForAlertByThreadId on all.
    private const uint FirstBuildOfSecondArgument = 14393;

    // A pointer is checked by where it leads; a null says what it seems to only on the builds that were looked at.
    private const uint FirstBuildOfNull = 16299;

    // R8 holds the third one: NtWaitForSingleObject on 328 of 328 threads of 26100, 26120 and 26200. Garbage up to 22631.
    private const uint FirstBuildOfThirdArgument = 26100;
    private const uint LastBuild = 26220;

    /// <summary>Reads it.</summary>
    /// <param name="process">The process.</param>
    /// <param name="thread">A thread whose innermost frame is a system call's stub.</param>
    /// <returns>The limit, with its length in milliseconds where that is known; unknown where this system, build or call does not keep it.</returns>
    public static (WaitTimeout Kind, long? Milliseconds) Read(WindowsProcess process, WindowsThread thread)
    {
        if (!process.ArgumentsAreInRegisters || thread.Registers is not X64Registers registers)
        {
            return (WaitTimeout.Unknown, null);
        }

        return thread.SystemCall?.Name switch
        {
            "NtWaitForMultipleObjects" =>
                At(process, thread, process.Dump.ReadUInt64(unchecked(thread.Walked[0].StackPointer + FifthArgument)), absentIsEndless: true),
            "NtWaitForAlertByThreadId" when KeepsSecond(process) =>
                At(process, thread, registers[X64Register.Rdx], absentIsEndless: process.System.Build >= FirstBuildOfNull),
            "NtDelayExecution" when KeepsSecond(process) => At(process, thread, registers[X64Register.Rdx], absentIsEndless: false),
            "NtWaitForSingleObject" when process.System.Build is >= FirstBuildOfThirdArgument and <= LastBuild =>
                At(process, thread, registers[X64Register.R8], absentIsEndless: true),
            _ => (WaitTimeout.Unknown, null),
        };
    }

    private static bool KeepsSecond(WindowsProcess process) => process.System.Build is >= FirstBuildOfSecondArgument and <= LastBuild;

    /// <summary>The limit behind a pointer; one that does not lead into the thread's own stack is something else that was left in its place.</summary>
    private static (WaitTimeout Kind, long? Milliseconds) At(WindowsProcess process, WindowsThread thread, ulong? pointer, bool absentIsEndless) =>
        pointer switch
        {
            0 when absentIsEndless => (WaitTimeout.Infinite, null),
            { } address and not 0 when address % sizeof(ulong) == 0 && IsOnStack(thread, address) => WaitArguments.ByAddress(process.Dump, address),
            _ => (WaitTimeout.Unknown, null),
        };

    /// <summary>Without the thread's TEB its stack is what the dump has saved of it.</summary>
    private static bool IsOnStack(WindowsThread thread, ulong address) => address >= thread.Walked[0].StackPointer
        && address < (thread.Environment?.Stack.Base ?? unchecked(thread.Saved.StackStart + thread.Saved.StackSize));
}
