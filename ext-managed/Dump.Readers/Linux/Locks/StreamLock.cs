using Dump.Readers.ElfCore;

namespace Dump.Readers.Linux.Locks;

/// <summary>The lock of a stream of the C library (<c>FILE</c>) that a thread waits for: it stores the descriptor of the thread that holds it.</summary>
/// <param name="Owner">That thread.</param>
/// <param name="Depth">How many times it has entered.</param>
internal sealed record StreamLock(ElfThread Owner, uint Depth)
{
    private const uint MostDepth = 1 << 16;

    /// <summary>Reads it; null when what is there is none. A pointer to a thread's descriptor at that very place is nothing else.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="wait">The wait.</param>
    /// <param name="descriptors">Those of the process' threads.</param>
    public static StreamLock? Of(IMemory memory, FutexWait wait, ThreadDescriptors descriptors) =>
        wait is { LocksInKernel: false, Expected: PthreadLayout.MutexContended }
            && memory.ReadUInt32(wait.Word) == PthreadLayout.MutexContended
            && memory.ReadUInt32(wait.Word + PthreadLayout.StreamLockDepth) is { } depth and > 0 and < MostDepth
            && memory.ReadUInt64(wait.Word + PthreadLayout.StreamLockOwner) is { } owner and not 0 && descriptors.At(owner) is { } thread
            ? new StreamLock(thread, depth)
            : null;
}
