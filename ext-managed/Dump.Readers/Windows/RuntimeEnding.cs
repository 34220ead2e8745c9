using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Windows.Layouts;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows;

/// <summary>
/// Finds the thread on which the .NET runtime ends a process, where it has the dump written itself (<c>DOTNET_DbgEnableMiniDump</c>): its createdump records no
/// exception. That thread has started a process, whose handles and ids lie in its frame, and waits for the end of it. The runtime does the same when a
/// diagnostic port asks it for a dump, but on a thread without managed code and without an exception: such a thread is none.
/// </summary>
internal static class RuntimeEnding
{
    private const ulong LargestFrame = 0x1000;
    private const ulong LargestHandle = 1 << 24;
    private const ulong StackAlignment = sizeof(ulong);
    private static readonly string[] s_dispatching = ["KiUserExceptionDispatcher", "KiUserExceptionDispatch", "RaiseException", "UnhandledExceptionFilter"];

    /// <summary>The thread, as an exception of which nothing is recorded; null when there is none.</summary>
    /// <param name="dump">The dump.</param>
    /// <param name="threads">Its threads.</param>
    public static RecordedException? Read(MinidumpFile dump, IReadOnlyList<WindowsThread> threads) =>
        dump.SystemInfo?.Architecture == ProcessorArchitecture.X64 && threads.FirstOrDefault(t => IsEnding(dump, t.Frames)) is { } thread
            ? new RecordedException(thread.Id) { IsRuntimeEnding = true }
            : null;

    private static bool IsEnding(MinidumpFile dump, ImmutableArray<StackFrame> frames)
    {
        int runtime = 0;
        while (runtime < frames.Length && frames[runtime] is { ModuleStem: "ntdll" or "kernelbase" or "kernel32", Trust: > FrameTrust.Scan })
        {
            runtime++;
        }

        return runtime > 0 && runtime + 1 < frames.Length && frames[runtime - 1].Function == "WaitForSingleObject"
            && frames[runtime] is { ModuleStem: "coreclr", Trust: > FrameTrust.Scan } waiting && frames[runtime + 1].Trust > FrameTrust.Scan
            && frames.Skip(runtime + 1).Any(f => f.Trust > FrameTrust.Scan && (f.ModuleStem == "system.private.corelib" || s_dispatching.Contains(f.Function)))
            && HasStarted(dump, waiting.StackPointer, Math.Min(frames[runtime + 1].StackPointer, waiting.StackPointer + LargestFrame));
    }

    /// <summary>True when both structures of a started process lie between two addresses, the handles and ids of the new process filled in.</summary>
    private static bool HasStarted(MinidumpFile dump, ulong start, ulong end)
    {
        bool hasStartup = false, hasProcess = false;
        for (ulong address = start; address < end && !(hasStartup && hasProcess); address += StackAlignment)
        {
            hasStartup = hasStartup
                || (address + StartedProcessLayout.StartupInfoSize <= end && dump.ReadUInt32(address) == StartedProcessLayout.StartupInfoSize);
            hasProcess = hasProcess || (address + StartedProcessLayout.ProcessInformationSize <= end && IsProcess(dump, address));
        }

        return hasStartup && hasProcess;
    }

    /// <summary>Handles and ids of Windows are multiples of four.</summary>
    private static bool IsProcess(MinidumpFile dump, ulong address) =>
        dump.ReadUInt64(address) is { } process && IsHandle(process)
        && dump.ReadUInt64(address + StartedProcessLayout.ThreadHandle) is { } thread && IsHandle(thread) && thread != process
        && dump.ReadUInt32(address + StartedProcessLayout.ProcessId) is { } id && id is not 0 && id % 4 == 0
        && dump.ReadUInt32(address + StartedProcessLayout.ThreadId) is { } first && first is not 0 && first % 4 == 0 && first != id;

    private static bool IsHandle(ulong value) => value is not 0 and < LargestHandle && value % 4 == 0;
}
