namespace Dump.Readers.Linux.Waits;

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
