namespace Dump.Readers.Windows.Waits;

/// <summary>
/// Reads the addresses of waits from PEB.WaitOnAddressHashTable (Windows 8 and later): each bucket leads to a block on
/// the stack of a waiting thread. The block is undocumented, so that it counts only where it proves itself: the owner of
/// the stack stands in such a wait, the block names that thread, and the address in it belongs into that very bucket.
/// </summary>
internal static class AddressWaitTable
{
    private const int Buckets = 128;
    private const int BucketShift = 5;
    private const ulong FlagMask = 0x3;
    private const int LongestChain = 4_096;

    /// <summary>The addresses that threads wait on, by thread id; a thread whose block does not prove itself is not listed.</summary>
    /// <param name="process">The process, with 64-bit addresses; others have none.</param>
    /// <param name="table">Address of the table, or null when the process has none or it is not known.</param>
    public static Dictionary<uint, ulong> Read(WindowsProcess process, ulong? table)
    {
        Dictionary<uint, ulong> found = [];
        if (table is not { } start || process.PointerSize != sizeof(ulong))
        {
            return found;
        }

        for (int bucket = 0; bucket < Buckets; bucket++)
        {
            if (process.Dump.ReadUInt64(unchecked(start + (ulong)bucket * sizeof(ulong))) is { } head and not 0)
            {
                Follow(process, bucket, head & ~FlagMask, found);
            }
        }

        return found;
    }

    /// <summary>Follows a bucket from block to block; a link is one of the two values behind the thread id that leads to a block which proves itself.</summary>
    private static void Follow(WindowsProcess process, int bucket, ulong head, Dictionary<uint, ulong> found)
    {
        HashSet<ulong> seen = [];
        Queue<ulong> open = new([head]);
        while (seen.Count < LongestChain && open.TryDequeue(out ulong block))
        {
            if (!seen.Add(block) || ReadBlock(process, bucket, block) is not var (thread, address))
            {
                continue;
            }

            found.TryAdd(thread, address);
            for (ulong link = block + 2 * sizeof(ulong); link <= block + 3 * sizeof(ulong); link += sizeof(ulong))
            {
                if (process.Dump.ReadUInt64(link) is { } next and not 0)
                {
                    open.Enqueue(next & ~FlagMask);
                }
            }
        }
    }

    private static (uint Thread, ulong Address)? ReadBlock(WindowsProcess process, int bucket, ulong block) =>
        process.WaitingStacks.Find(block) is { } owner
        && process.Dump.ReadUInt64(block) is { } address && (int)((address >> BucketShift) & (Buckets - 1)) == bucket
        && process.Dump.ReadUInt64(block + sizeof(ulong)) == owner.Id
            ? (owner.Id, address)
            : null;
}
