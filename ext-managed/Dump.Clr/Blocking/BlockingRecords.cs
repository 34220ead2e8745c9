using Dump.Clr.Locks;
using Dump.Clr.Runtimes;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Blocking;

/// <summary>The runtime's own records of blocked threads, from all sources that this core has. A thread without a record may be blocked all the same.</summary>
internal sealed class BlockingRecords
{
    private readonly ILookup<uint, BlockingRecord> _byThread;
    private readonly ILookup<ulong, uint> _owners;

    /// <summary>Groups records.</summary>
    public BlockingRecords(IEnumerable<BlockingRecord> records)
    {
        BlockingRecord[] all = [.. records];
        _byThread = all.ToLookup(r => r.ThreadId);
        _owners = all.Where(r => r.OwnerThreadId is not null).ToLookup(r => r.Object, r => r.OwnerThreadId!.Value);
    }

    /// <summary>Reads them.</summary>
    public static BlockingRecords Read(ClrTarget target, ManagedThreads threads, Lazy<SyncBlocks> blocks, LibraryGate? gate) =>
        Read(gate, () => BlockingObjectReader.Read(target), () => ThreadBlockingInfoReader.Read(target, threads.Live, blocks));

    /// <summary>Reads all sources that can be read.</summary>
    /// <param name="gate">Hears of those that fail; null where nobody asks.</param>
    /// <param name="sources">The sources.</param>
    internal static BlockingRecords Read(LibraryGate? gate, params ReadOnlySpan<Func<IReadOnlyList<BlockingRecord>>> sources)
    {
        List<BlockingRecord> records = [];
        foreach (Func<IReadOnlyList<BlockingRecord>> source in sources)
        {
            records.AddRange(Try(source, gate));
        }

        return new BlockingRecords(records);
    }

    /// <summary>Records of a thread, the innermost wait of each source first.</summary>
    public IEnumerable<BlockingRecord> Of(uint thread) => _byThread[thread];

    /// <summary>The owner of an object's monitor by the records, or null when they name none or several.</summary>
    public uint? OwnerOf(ulong target) => _owners[target].Distinct().ToArray() is [var owner] ? owner : null;

    private static IReadOnlyList<BlockingRecord> Try(Func<IReadOnlyList<BlockingRecord>> read, LibraryGate? gate)
    {
        try
        {
            return read();
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            // One source more or less: neither the libraries behind them nor damaged dumps have a closed set of exceptions, and the waits of the frames stand
            // without them.
            gate?.Fail();
            return [];
        }
    }
}
