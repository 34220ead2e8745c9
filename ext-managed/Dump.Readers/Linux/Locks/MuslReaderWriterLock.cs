using static System.Buffers.Binary.BinaryPrimitives;

namespace Dump.Readers.Linux.Locks;

/// <summary>A <c>pthread_rwlock_t</c> of musl that a thread waits for. It names nobody that holds it.</summary>
/// <param name="Readers">How many hold it for reading; null while a writer holds it.</param>
internal sealed record MuslReaderWriterLock(uint? Readers)
{
    /// <summary>Reads the lock whose word a thread waits for; null when what is there is none, or nobody holds it.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="wait">The wait.</param>
    public static MuslReaderWriterLock? Of(IMemory memory, FutexWait wait)
    {
        Span<byte> bytes = stackalloc byte[MuslLayout.ReaderWriterLockSize];
        if (wait.LocksInKernel || wait.Word % sizeof(ulong) != 0 || !memory.TryRead(wait.Word, bytes))
        {
            return null;
        }

        uint word = ReadUInt32LittleEndian(bytes), held = word & ~FutexLayout.HasWaiters;
        bool fits = word == wait.Expected && (word & FutexLayout.HasWaiters) != 0 && held is MuslLayout.HeldByWriter or (> 0 and < MuslLayout.MostThreads)
            && ReadUInt32LittleEndian(bytes[MuslLayout.ReaderWriterWaiters..]) is > 0 and < MuslLayout.MostThreads
            && ReadUInt32LittleEndian(bytes[MuslLayout.ReaderWriterShared..]) == (wait.IsPrivate ? 0 : MuslLayout.TypeShared)
            && bytes[MuslLayout.ReaderWriterRest..].IndexOfAnyExcept((byte)0) < 0;
        return !fits ? null : new MuslReaderWriterLock(held == MuslLayout.HeldByWriter ? null : held);
    }
}
