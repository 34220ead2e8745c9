using static System.Buffers.Binary.BinaryPrimitives;

namespace Dump.Readers.Linux.Locks;

/// <summary>A <c>pthread_rwlock_t</c> of glibc that a thread waits for.</summary>
/// <param name="Address">Where it begins.</param>
/// <param name="Writer">Kernel id of the thread that holds it for writing; null when readers hold it.</param>
/// <param name="Readers">How many hold it for reading; the lock does not say which threads they are.</param>
/// <param name="IsShared">True when other processes may use it too.</param>
internal sealed record PthreadReaderWriterLock(ulong Address, uint? Writer, uint Readers, bool IsShared)
{
    /// <summary>Reads the lock one of whose two words a thread waits for; null when what is there is none, or nobody holds it.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="wait">The wait.</param>
    public static PthreadReaderWriterLock? Of(IMemory memory, FutexWait wait)
    {
        if (wait.LocksInKernel || wait.Expected > PthreadLayout.MostOfReaderWriterFutex)
        {
            return null;
        }

        return At(memory, unchecked(wait.Word - PthreadLayout.WritePhaseFutex)) is { } byPhase && byPhase.Waits(memory, wait, PthreadLayout.WritePhaseFutex)
            ? byPhase
            : At(memory, unchecked(wait.Word - PthreadLayout.WritersFutex)) is { } byWriter && byWriter.Waits(memory, wait, PthreadLayout.WritersFutex)
            ? byWriter
            : null;
    }

    private bool Waits(IMemory memory, FutexWait wait, int offset) => memory.ReadUInt32(Address + (ulong)offset) == wait.Expected;

    private static PthreadReaderWriterLock? At(IMemory memory, ulong address)
    {
        Span<byte> bytes = stackalloc byte[PthreadLayout.ReaderWriterLockSize];
        if (address % sizeof(ulong) != 0 || !memory.TryRead(address, bytes))
        {
            return null;
        }

        uint readers = Word(bytes, PthreadLayout.Readers), writer = Word(bytes, PthreadLayout.CurrentWriter), count = readers >> PthreadLayout.ReaderCountShift;
        bool fits = Word(bytes, PthreadLayout.WritePhaseFutex) <= PthreadLayout.MostOfReaderWriterFutex
            && Word(bytes, PthreadLayout.WritersFutex) <= PthreadLayout.MostOfReaderWriterFutex
            && ReadUInt64LittleEndian(bytes[PthreadLayout.ReaderWriterPadding..]) == 0
            && ReadUInt64LittleEndian(bytes[PthreadLayout.ReaderWriterPadding2..]) == 0
            && Word(bytes, PthreadLayout.ReaderWriterShared) <= 1
            && Word(bytes, PthreadLayout.ReaderWriterFlags) <= PthreadLayout.MostReaderWriterFlags;
        bool isWriters = (readers & PthreadLayout.IsWritePhase) != 0 && (readers & PthreadLayout.IsWriteLocked) != 0 && writer != 0;
        bool isReaders = (readers & PthreadLayout.IsWritePhase) == 0 && writer == 0 && count > 0;
        return fits && (isWriters || isReaders)
            ? new PthreadReaderWriterLock(address, isWriters ? writer : null, isWriters ? 0 : count, Word(bytes, PthreadLayout.ReaderWriterShared) != 0)
            : null;
    }

    private static uint Word(ReadOnlySpan<byte> bytes, int offset) => ReadUInt32LittleEndian(bytes[offset..]);
}
