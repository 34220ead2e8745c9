using Dump.Readers.Linux.Locks;
using static System.Buffers.Binary.BinaryPrimitives;

namespace Dump.Readers.Linux.Waits;

/// <summary>A barrier of glibc (<c>pthread_barrier_t</c>) at which a thread waits for others.</summary>
/// <param name="Address">Where it begins.</param>
/// <param name="Arrived">How many have come in this round.</param>
/// <param name="Count">How many must come.</param>
internal sealed record PthreadBarrier(ulong Address, uint Arrived, uint Count)
{
    /// <summary>Reads the one whose round a thread waits for to end; null when what is there is none, or all have come.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="wait">The wait.</param>
    public static PthreadBarrier? Of(IMemory memory, FutexWait wait)
    {
        ulong address = unchecked(wait.Word - PthreadSignalLayout.BarrierRound);
        Span<byte> bytes = stackalloc byte[PthreadSignalLayout.BarrierSize];
        if (wait.LocksInKernel || address % sizeof(ulong) != 0 || !memory.TryRead(address, bytes))
        {
            return null;
        }

        uint came = ReadUInt32LittleEndian(bytes), round = ReadUInt32LittleEndian(bytes[PthreadSignalLayout.BarrierRound..]);
        uint count = ReadUInt32LittleEndian(bytes[PthreadSignalLayout.BarrierCount..]), arrived = unchecked(came - round);
        bool fits = round == wait.Expected && came > round && count < PthreadSignalLayout.MostThreads && arrived < count
            && round % count == 0 && ReadUInt32LittleEndian(bytes[PthreadSignalLayout.BarrierLeft..]) <= round
            && ReadUInt32LittleEndian(bytes[PthreadSignalLayout.BarrierSharing..]) == (wait.IsPrivate ? 0 : PthreadSignalLayout.Shared);
        return fits ? new PthreadBarrier(address, arrived, count) : null;
    }
}
