using Dump.Model.Facts;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Windows.Layouts;
using Dump.Readers.Windows.Locks;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows.Runtimes;

/// <summary>
/// Finds the owner of a std::mutex of Microsoft's C++ library. Its waiters wait for the SRW lock inside it, which stores no owner, but the structure around
/// that does: beside the lock stand the owner's thread id and its count. Read only where the library's own function is on the stack directly outside of the
/// wait, and where the fields agree with each other and the thread list. On x64 that function ends in a jump, so that only the program's call names it.
/// </summary>
internal static class StandardMutexes
{
    private const string Lock = "_Mtx_lock";
    private const uint HighestCount = 1 << 24;

    /// <summary>Completes the waits for identified SRW locks inside such mutexes with their owners.</summary>
    /// <param name="process">The process.</param>
    /// <param name="findings">One for each thread, in the threads' order.</param>
    public static List<WaitFindings> Complete(WindowsProcess process, List<WaitFindings> findings) =>
    [
        .. findings.Select((f, i) => f.Waits is [{ Resource: { Kind: ResourceKind.SlimReaderWriterLock, Identity: not 0 } slim }]
            && Layout(process, process.Threads[i]) is { } layout && Owner(process, slim, layout) is { } owner
                ? f with { Ownerships = [.. f.Ownerships, owner] }
                : f),
    ];

    /// <summary>The structure by the library in which the first frames outside of ntdll lie, up to its exported function that locks a mutex; else null.</summary>
    private static StandardMutexLayout? Layout(WindowsProcess process, WindowsThread thread)
    {
        string? library = thread.Frames.Skip(thread.NtdllRun.Length).FirstOrDefault()?.ModuleStem;
        return thread.Frames.Skip(thread.NtdllRun.Length).TakeWhile(f => f.Trust > FrameTrust.Scan && f.ModuleStem == library)
            .Any(f => f.Function == Lock || f.EnteredAs == Lock) ? StandardMutexLayout.Of(library, process.PointerSize) : null;
    }

    private static OwnershipFact? Owner(WindowsProcess process, Resource slim, StandardMutexLayout layout)
    {
        if (slim.Identity <= (ulong)layout.SlimLock)
        {
            return null;
        }

        ulong mutex = slim.Identity - (ulong)layout.SlimLock;
        uint? type = process.Dump.ReadUInt32(mutex + StandardMutexLayout.Type);
        uint? owner = process.Dump.ReadUInt32(mutex + (ulong)layout.ThreadId);
        uint? count = process.Dump.ReadUInt32(mutex + (ulong)layout.Count);
        return type is { } flags && flags != 0 && (flags & ~StandardMutexLayout.TypeMask) == 0 && owner is { } id && process.IsThread(id)
            && count is >= 1 and < HighestCount
            ? new OwnershipFact(slim, id, true, (int)count, layout.IsChecked ? Grade.Proven : Grade.Derived,
                [new Evidence(EvidenceSource.Memory, $"the std::mutex around the SRW lock stores its owner (_Thread_id, _Count {count})",
                    mutex + (ulong)layout.ThreadId, id)])
            : null;
    }
}
