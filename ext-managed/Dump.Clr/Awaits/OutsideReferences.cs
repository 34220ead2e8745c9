using System.Runtime.InteropServices;
using Dump.Clr.Frames;
using Dump.Readers;
using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Awaits;

/// <summary>
/// References into the heap from outside of it, without asking the data-access library for each: every word of the stacks, and the strong handles.
/// </summary>
internal static class OutsideReferences
{
    private const ulong LargestStack = 16 << 20;
    private const int MostWords = 64_000_000;
    private const int MostHandles = 1_000_000;
    private const int BlockSize = 32 * 1024;

    /// <summary>What native code that a thread calls without telling the runtime keeps of the caller's registers lies there, below all managed frames.</summary>
    private const ulong BelowManaged = 8 * 1024;

    /// <summary>Lists them; what is no reference among them does no harm.</summary>
    public static IEnumerable<ulong> Of(ClrRuntime runtime, IMemory memory, IEnumerable<ManagedThread> threads) =>
        StackWords(memory, threads).Concat(runtime.EnumerateHandles().Take(MostHandles).Where(h => h.IsStrong).Select(h => h.Object.Address));

    /// <summary>Words of stacks alone.</summary>
    public static IEnumerable<ulong> StackWords(IMemory memory, IEnumerable<ManagedThread> threads) =>
        threads.SelectMany(t => Words(t, memory)).Take(MostWords);

    private static IEnumerable<ulong> Words(ManagedThread thread, IMemory memory)
    {
        ulong start = thread.Frames.Select(f => f.StackPointer).Where(p => p != 0).DefaultIfEmpty().Min(), end = thread.StackEnd;
        if (start == 0 || end <= start || end - start > LargestStack)
        {
            yield break;
        }

        start -= thread.Thread.GCMode == GCMode.Cooperative ? Math.Min(start, BelowManaged) : 0;
        ulong[] block = new ulong[BlockSize / sizeof(ulong)];
        for (ulong at = start & ~7UL; at < end;)
        {
            int words = memory.Read(at, MemoryMarshal.AsBytes(block.AsSpan(0, (int)Math.Min(BlockSize, end - at) / sizeof(ulong)))) / sizeof(ulong);
            for (int i = 0; i < words; i++)
            {
                yield return block[i];
            }

            if (words == 0)
            {
                yield break;
            }

            at += (ulong)words * sizeof(ulong);
        }
    }
}
