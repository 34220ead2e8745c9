using System.Collections.Frozen;
using Dump.Model.Waits;
using Dump.Readers.Registers;

namespace Dump.Readers.Windows.Waits;

/// <summary>
/// The time limit that a blocked system call was given, where the system keeps it: a pointer to a LARGE_INTEGER, null for none (wdm.h,
/// KeWaitForSingleObject). It is read only of x64 processes on real Windows 10 and later, and only where the pointer agrees with what wait functions do: they
/// keep the limit on their own stack.
/// </summary>
internal static class SystemCallTimeLimit
{
    // Behind the return address and the home of four register arguments (x64 calling convention). Seen so on 16299, 18363 and 26200.
    private const ulong FifthArgument = 0x28;

    // RDX still holds the second argument: NtDelayExecution on 18363 and 26200, NtWaitForAlertByThreadId also on 22621. Other builds are not known to keep it.
    private const uint FirstBuildOfSecondArgument = 18363;
    private const uint LastBuildOfSecondArgument = 26200;

    // A pointer is checked by where it leads; a null says what it seems to only on the builds that were looked at. 18362, 22631 and 26100 are 18363, 22621 and
    // 26200 with other features enabled (Microsoft Learn, "enablement package").
    private static readonly FrozenSet<uint> s_checkedForNull = new uint[] { 18362, 18363, 22621, 22631, 26100, 26200 }.ToFrozenSet();

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
                At(process, thread, registers[X64Register.Rdx], absentIsEndless: s_checkedForNull.Contains(process.System.Build)),
            "NtDelayExecution" when KeepsSecond(process) => At(process, thread, registers[X64Register.Rdx], absentIsEndless: false),
            _ => (WaitTimeout.Unknown, null),
        };
    }

    private static bool KeepsSecond(WindowsProcess process) =>
        process.System.Build is >= FirstBuildOfSecondArgument and <= LastBuildOfSecondArgument;

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
