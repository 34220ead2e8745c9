using Dump.Readers.Windows.Layouts;

namespace Dump.Readers.Windows.Locks;

/// <summary>A slim reader/writer (SRW) lock as its word tells. No owner is stored in it.</summary>
/// <param name="Address">Its address.</param>
/// <param name="Word">Its value: of a pointer's size on Windows, 32 bits under Wine.</param>
/// <param name="IsLocked">True while at least one thread holds it.</param>
/// <param name="HasSeveralReaders">True when the word proves that more than one thread holds it for reading; null when that cannot be told.</param>
/// <param name="WaitBlock">Address of a wait block, which lies on the stack of a waiting thread; null when none waits, and under Wine, which has none.</param>
internal sealed record SlimReaderWriterLock(ulong Address, ulong Word, bool IsLocked, bool? HasSeveralReaders, ulong? WaitBlock)
{
    /// <summary>Reads the word of an SRW lock, in the layout of Windows or of Wine.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="abi">Pointer size and version; Wine has a layout of its own.</param>
    /// <param name="address">Candidate address; any value.</param>
    /// <returns>The lock, or null when the memory is missing or cannot be one.</returns>
    public static SlimReaderWriterLock? Read(IMemory memory, WindowsAbi abi, ulong address) =>
        address == 0 ? null : abi.IsWine ? ReadOfWine(memory, address) : ReadOfWindows(memory, abi.PointerSize, address);

    private static SlimReaderWriterLock? ReadOfWindows(IMemory memory, int pointerSize, ulong address)
    {
        if (address % (ulong)pointerSize != 0 || memory.ReadPointer(address, pointerSize) is not { } word)
        {
            return null;
        }

        bool isLocked = (word & SlimReaderWriterLockLayout.Locked) != 0;
        ulong upper = word & ~SlimReaderWriterLockLayout.FlagMask;
        if ((word & SlimReaderWriterLockLayout.Waiting) == 0)
        {
            // Without waiters the upper bits count readers: none while it is free.
            return !isLocked && word != 0 ? null : new SlimReaderWriterLock(address, word, isLocked, upper > SlimReaderWriterLockLayout.FlagMask + 1, null);
        }

        return upper == 0
            ? null
            : new SlimReaderWriterLock(address, word, isLocked, (word & SlimReaderWriterLockLayout.MultipleShared) != 0 ? true : null, upper);
    }

    private static SlimReaderWriterLock? ReadOfWine(IMemory memory, ulong address) =>
        address % SlimReaderWriterLockLayout.WineAlignment == 0 && memory.ReadUInt32(address) is { } word
            && memory.ReadUInt16(address + SlimReaderWriterLockLayout.WineOwners) is { } owners
            ? new SlimReaderWriterLock(address, word, owners != 0, owners is not (0 or 1 or ushort.MaxValue), null)
            : null;
}
