using Dump.Model;
using Dump.Readers.Minidump;
using Dump.Readers.Symbols;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows;

/// <summary>
/// Threads that a debugger made in the process to stop it. Such a thread begins in <c>ntdll!DbgUiRemoteBreakin</c> (Microsoft, "DebugBreakProcess"; WinDbg shows it as the current thread after
/// attaching). In a process whose loader lock is held it waits for that lock before it can stop anything: a waiter that the process does not have when nobody looks.
/// </summary>
internal static class DebuggerThreads
{
    private const string Entry = "DbgUiRemoteBreakin";

    /// <summary>Takes their waits out of what was found: they count as idle, unless they hold the loader's own lock, where others may wait for them.</summary>
    /// <param name="dump">States where threads began; without that none is known.</param>
    /// <param name="symbols">Finds the function.</param>
    /// <param name="side">The side of the process that the debugger's threads run in.</param>
    /// <param name="findings">What each thread does, in the order of the threads.</param>
    public static List<WaitFindings> SetAside(MinidumpFile dump, ModuleSymbols symbols, ProcessSide side, IReadOnlyList<WaitFindings> findings)
    {
        ulong? entry = dump.ThreadInfos is null ? null : symbols.AddressOf("ntdll", Entry);
        return [.. side.Threads.Zip(findings, (t, f) => entry is not null && dump.ThreadInfos!.GetValueOrDefault(t.Id)?.StartAddress == entry && !HoldsLoader(side, t) ? Idle(entry.Value) : f)];
    }

    private static bool HoldsLoader(ProcessSide side, WindowsThread thread) =>
        (side.LoaderLock is { IsLocked: true } loader && loader.OwnerThreadId == thread.Id) || thread.Environment?.IsLoadOwner == true;

    private static WaitFindings Idle(ulong entry) => WaitFindings.Only(new ThreadActivity(
        ThreadActivityKind.Idle, null, [new Evidence(EvidenceSource.DumpStream, $"a debugger made this thread to stop the process: it begins in ntdll!{Entry}", entry)]));
}
