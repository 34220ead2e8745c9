using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Symbols;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows;

/// <summary>
/// Threads that a debugger made in the process to stop it. Such a thread begins in <c>ntdll!DbgUiRemoteBreakin</c>
/// (Microsoft, "DebugBreakProcess"; WinDbg shows it as the current thread after attaching). In a process whose loader lock
/// is held it waits for that lock before it can stop anything: a waiter that the process does not have when nobody looks.
/// </summary>
internal static class DebuggerThreads
{
    private const string Entry = "DbgUiRemoteBreakin";

    /// <summary>Takes their waits out of what was found: they count as idle, unless they hold the loader's own lock, where others may wait for them.</summary>
    /// <param name="dump">States where threads began; without that none is known.</param>
    /// <param name="symbols">Finds the function.</param>
    /// <param name="native">The side of the process whose threads the dump lists.</param>
    /// <param name="main">The side that the program runs in: the same, or the 32-bit one of a 64-bit dump. A
    /// debugger of either architecture makes its thread begin in the ntdll of its own.</param>
    /// <param name="findings">What each thread does, in the order of the threads.</param>
    public static List<WaitFindings> SetAside(
        MinidumpFile dump, ModuleSymbols symbols, ProcessSide native, ProcessSide main, IReadOnlyList<WaitFindings> findings)
    {
        ulong[] entries = dump.ThreadInfos is null ? []
            : [.. dump.Modules.Where(m => m.Name.Equals("ntdll.dll", StringComparison.OrdinalIgnoreCase)).Select(m => symbols.AddressIn(m, Entry))
                .OfType<ulong>()];
        return
        [
            .. native.Threads.Zip(findings, (t, f) => entries.Length > 0 && dump.ThreadInfos!.GetValueOrDefault(t.Id)?.StartAddress is { } start
                && entries.Contains(start)
                && !HoldsLoader(native, t) && !HoldsLoader(main, t) ? Idle(start) : f),
        ];
    }

    private static bool HoldsLoader(ProcessSide side, WindowsThread thread) =>
        (side.LoaderLock is { IsLocked: true } loader && loader.OwnerThreadId == thread.Id) || thread.Environment?.IsLoadOwner == true;

    private static WaitFindings Idle(ulong entry) => WaitFindings.Only(new ThreadActivity(
        ThreadActivityKind.Idle, null, [new Evidence(EvidenceSource.DumpStream,
            $"a debugger made this thread to stop the process: it begins in ntdll!{Entry}", entry)]));
}
