using Dump.Readers.Linux.Locks;
using static System.Buffers.Binary.BinaryPrimitives;

namespace Dump.Readers.Linux.Waits;

/// <summary>An arena of glibc's malloc for whose lock a thread waits. The lock is a bare word: who holds it is stored nowhere.</summary>
/// <param name="Arenas">How many arenas the process has.</param>
internal sealed record MallocArena(int Arenas)
{
    /// <summary>Functions that take an arena's lock (glibc malloc/malloc.c), by the names that programs call.</summary>
    public static readonly string[] Functions =
    [
        "malloc", "calloc", "realloc", "free", "cfree", "memalign", "aligned_alloc", "posix_memalign", "valloc", "pvalloc", "malloc_trim", "malloc_info",
        "mallinfo", "mallinfo2", "malloc_stats", "mallopt",
    ];

    /// <summary>What is known of it.</summary>
    public string Words => Arenas == 1 ? "the only one" : $"one of {Arenas}";

    /// <summary>True for a function that takes such locks.</summary>
    /// <param name="function">The C library's function in which the thread waits.</param>
    public static bool IsAsked(string function) => Functions.Contains(function);

    /// <summary>The arena whose lock a thread waits for; null when what is there is none.</summary>
    /// <param name="memory">Memory of the process.</param>
    /// <param name="wait">The wait.</param>
    public static MallocArena? Of(IMemory memory, FutexWait wait)
    {
        if (wait is not { LocksInKernel: false, IsPrivate: true, Expected: MallocArenaLayout.Contended } || wait.Word % sizeof(ulong) != 0
            || Next(memory, wait.Word, MallocArenaLayout.Contended) is not { } next)
        {
            return null;
        }

        // The ring leads through the arenas of all threads and back; what stands elsewhere leads out of it.
        int arenas = 1;
        while (next != wait.Word)
        {
            if (arenas++ == MallocArenaLayout.MostArenas || Next(memory, next, null) is not { } further)
            {
                return null;
            }

            next = further;
        }

        return new MallocArena(arenas);
    }

    /// <summary>The next arena of the ring; null where there is no arena.</summary>
    private static ulong? Next(IMemory memory, ulong arena, uint? word)
    {
        Span<byte> bytes = stackalloc byte[MallocArenaLayout.Size];
        if (arena == 0 || arena % sizeof(ulong) != 0 || !memory.TryRead(arena, bytes))
        {
            return null;
        }

        uint lockWord = ReadUInt32LittleEndian(bytes);
        ulong given = ReadUInt64LittleEndian(bytes[MallocArenaLayout.SystemBytes..]), most = ReadUInt64LittleEndian(bytes[MallocArenaLayout.MostSystemBytes..]);
        ulong top = ReadUInt64LittleEndian(bytes[MallocArenaLayout.Top..]), bin = ReadUInt64LittleEndian(bytes[MallocArenaLayout.FirstBin..]);
        ulong next = ReadUInt64LittleEndian(bytes[MallocArenaLayout.Next..]);
        bool fits = (word is { } expected ? lockWord == expected : lockWord <= MallocArenaLayout.Contended) && given <= most && top % 16 == 0 && bin % 16 == 0
            && top != 0 && bin != 0 && next != 0;
        return fits ? next : null;
    }
}

/// <summary>
/// Offsets inside an arena of glibc's malloc on x86-64 (<c>struct malloc_state</c>: lock, flags, fast bins, top, bins, ring of all arenas). Source: glibc
/// malloc/malloc.c of 2.27 to 2.40. Checked on 2.36.
/// </summary>
internal static class MallocArenaLayout
{
    /// <summary>The lock is its first word, and this while threads wait for it (sysdeps/nptl/lowlevellock.h).</summary>
    public const uint Contended = 2;

    /// <summary>The chunk that borders on memory that was not handed out yet.</summary>
    public const int Top = 0x60;

    /// <summary>The first bin's two links: they lead to what lies this far from the arena while it is empty, else to chunks.</summary>
    public const int FirstBin = 0x70;
    public const int Next = 0x870;

    /// <summary>Bytes that the system gave, now and at most.</summary>
    public const int SystemBytes = 0x888;
    public const int MostSystemBytes = 0x890;
    public const int Size = 0x898;

    public const int MostArenas = 4_096;
}
