using Dump.Readers.Linux.Locks;
using static System.Buffers.Binary.BinaryPrimitives;

namespace Dump.Readers.Linux.Waits;

/// <summary>A semaphore of glibc (<c>sem_t</c>) that a thread waits for: its value is 0.</summary>
/// <param name="Waiters">How many threads wait for it, those of other processes among them where it is shared.</param>
internal sealed record PthreadSemaphore(uint Waiters)
{
    /// <summary>Reads the one whose value a thread waits for; null when what is there is none, or it may be taken.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="wait">The wait.</param>
    public static PthreadSemaphore? Of(IMemory memory, FutexWait wait)
    {
        Span<byte> bytes = stackalloc byte[PthreadSignalLayout.SemaphoreSize];
        if (wait.LocksInKernel || wait.Expected != 0 || wait.Word % sizeof(ulong) != 0 || !memory.TryRead(wait.Word, bytes))
        {
            return null;
        }

        uint waiters = ReadUInt32LittleEndian(bytes[PthreadSignalLayout.SemaphoreWaiters..]);
        bool fits = ReadUInt32LittleEndian(bytes) == 0 && waiters is > 0 and < PthreadSignalLayout.MostThreads
            && ReadUInt32LittleEndian(bytes[PthreadSignalLayout.SemaphoreSharing..]) == (wait.IsPrivate ? 0 : PthreadSignalLayout.Shared);
        return fits ? new PthreadSemaphore(waiters) : null;
    }
}
