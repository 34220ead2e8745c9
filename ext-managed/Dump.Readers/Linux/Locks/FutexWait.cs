using System.Buffers.Binary;
using Dump.Model.Facts;
using Dump.Model.Waits;
using Dump.Readers.ElfCore;

namespace Dump.Readers.Linux.Locks;

/// <summary>A thread that waits in the futex system call, by the call's arguments.</summary>
/// <param name="Thread">The thread.</param>
/// <param name="Word">Address of the 32-bit word that it waits for.</param>
/// <param name="Command">What it asked for: one of the waiting operations of <see cref="FutexLayout"/>.</param>
/// <param name="Expected">The value that the word had when the wait began; of no meaning for the operations that lock.</param>
/// <param name="Timeout">Whether the wait has a time limit.</param>
internal sealed record FutexWait(ElfThread Thread, ulong Word, uint Command, uint Expected, WaitTimeout Timeout)
{
    /// <summary>
    /// True where the kernel itself gives the lock to the waiter, which takes the lock's word as the owner's thread id (futex(2), FUTEX_LOCK_PI).
    /// </summary>
    public bool LocksInKernel => Command is FutexLayout.LockPriorityInheriting or FutexLayout.LockPriorityInheriting2;

    /// <summary>True where the word is used by one process only (FUTEX_PRIVATE_FLAG).</summary>
    public bool IsPrivate => ((Flags ?? (uint?)Thread.Argument1) & FutexLayout.PrivateFlag) is > 0;

    /// <summary>True where a change of any of several words ends the wait.</summary>
    public bool IsAnyOfSeveral { get; private init; }

    /// <summary>Flags of the word where each of several has its own; null where they stand in the call's operation.</summary>
    private uint? Flags { get; init; }

    /// <summary>The call's arguments.</summary>
    public Evidence Call => Flags is not null
        ? new(EvidenceSource.Memory, $"word of futex_waitv{(Timeout == WaitTimeout.Finite ? ", with a time limit" : "")}", Word)
        : new(EvidenceSource.Register, Timeout == WaitTimeout.Finite ? $"futex wait with a time limit ({Thread.Machine.Named(0, 1, 3)})"
        : $"futex wait without a time limit ({Thread.Machine.Named(0, 1, 3)} = 0)", Word);

    /// <summary>
    /// The waits that a thread is in: one, or one for each word of <c>futex_waitv</c>; none when it is in no such call or that cannot be read.
    /// </summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="thread">The thread.</param>
    public static FutexWait[] All(IMemory memory, ElfThread thread) =>
        LinuxSystemCalls.Of(thread) == LinuxCall.SeveralFutexes ? Several(memory, thread) : Of(thread) is { } wait ? [wait] : [];

    private static FutexWait[] Several(IMemory memory, ElfThread thread)
    {
        if (thread is not { Argument0: { } words, Argument1: { } count and > 0 and <= FutexLayout.MostSeveral, Argument3: { } limit })
        {
            return [];
        }

        byte[] bytes = new byte[(int)count * FutexLayout.SeveralSize];
        return !memory.TryRead(words, bytes) ? [] : [.. bytes.Chunk(FutexLayout.SeveralSize).Select(Word).OfType<FutexWait>()];

        FutexWait? Word(byte[] entry)
        {
            ulong word = BinaryPrimitives.ReadUInt64LittleEndian(entry.AsSpan(FutexLayout.SeveralAddress));
            uint flags = BinaryPrimitives.ReadUInt32LittleEndian(entry.AsSpan(FutexLayout.SeveralFlags));
            return word == 0 || word % sizeof(uint) != 0 || (flags & FutexLayout.SeveralSizeMask) != FutexLayout.SeveralSize32 ? null
                : new FutexWait(thread, word, FutexLayout.Wait, BinaryPrimitives.ReadUInt32LittleEndian(entry),
                    limit == 0 ? WaitTimeout.Infinite : WaitTimeout.Finite) { Flags = flags, IsAnyOfSeveral = count > 1 };
        }
    }

    /// <summary>The wait that a thread is in, or null when it is in none or that cannot be told.</summary>
    public static FutexWait? Of(ElfThread thread)
    {
        LinuxCall call = LinuxSystemCalls.Of(thread);
        bool isRestarted = call == LinuxCall.Restart;
        if (!(isRestarted || call == LinuxCall.Futex)
            || thread is not { Argument0: { } word and not 0, Argument1: { } operation, Argument2: { } expected, Argument3: { } limit })
        {
            return null;
        }

        // Of the calls that go on after a stop only futex waits with a limit have these arguments (kernel/futex/waitwake.c), others have any in their places.
        uint command = (uint)operation & FutexLayout.CommandMask;
        bool waits = command is FutexLayout.Wait or FutexLayout.WaitBitset;
        bool locks = command is FutexLayout.LockPriorityInheriting or FutexLayout.LockPriorityInheriting2;
        return !(waits || (locks && !isRestarted)) || (isRestarted && limit == 0) || word % sizeof(uint) != 0
            ? null
            : new FutexWait(thread, word, command, (uint)expected, limit == 0 ? WaitTimeout.Infinite : WaitTimeout.Finite);
    }
}
