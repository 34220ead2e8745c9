using System.Collections.Immutable;
using Dump.Model.Waits;
using Dump.Readers.Windows.Layouts;
using Dump.Readers.Windows.Process;

namespace Dump.Readers.Windows.Locks;

/// <summary>
/// Finds the critical sections that belong to the process as a whole, besides the loader lock: that of its environment block and those of its heaps.
/// </summary>
internal static class SystemLocks
{
    /// <summary>What each section is, for people. Only sections that can be read and whose fields agree are named.</summary>
    /// <param name="process">The process environment block, or null when not readable.</param>
    /// <param name="sections">Reads and checks the sections.</param>
    public static ImmutableDictionary<Resource, string> Read(ProcessEnvironmentBlock? process, CriticalSectionReader sections)
    {
        ImmutableDictionary<Resource, string>.Builder names = ImmutableDictionary.CreateBuilder<Resource, string>();
        Add(process?.FastPebLock, "the PEB lock");
        Add(HeapLock(sections, process?.ProcessHeap), "the process heap's lock");
        foreach (ulong heap in process is null ? [] : Heaps(process, sections))
        {
            Add(HeapLock(sections, heap), $"the lock of heap 0x{heap:x}");
        }

        return names.ToImmutable();

        void Add(ulong? address, string name)
        {
            if (address is { } known && known != process?.LoaderLock && sections.ReadKnown(known) is not null)
            {
                names.TryAdd(new Resource(ResourceKind.CriticalSection, known), name);
            }
        }
    }

    /// <summary>The heaps of the process by its environment block; none when their number cannot be.</summary>
    private static IEnumerable<ulong> Heaps(ProcessEnvironmentBlock process, CriticalSectionReader sections)
    {
        const uint MostHeaps = 4_096;
        PebLayout layout = new(sections.Abi);
        if (sections.Memory.ReadUInt32(process.Address, layout.NumberOfHeaps) is not ({ } count and > 0 and <= MostHeaps)
            || sections.Memory.ReadPointer(process.Address, layout.ProcessHeaps, sections.PointerSize) is not ({ } array and not 0))
        {
            yield break;
        }

        for (uint i = 0; i < count; i++)
        {
            if (sections.Memory.ReadPointer(unchecked(array + i * (ulong)sections.PointerSize), sections.PointerSize) is { } heap and not 0)
            {
                yield return heap;
            }
        }
    }

    /// <summary>Address of a heap's lock, or null when the memory at the address is missing or is no heap of a known layout.</summary>
    private static ulong? HeapLock(CriticalSectionReader sections, ulong? heap)
    {
        foreach (HeapLayout layout in HeapLayout.Of(sections.Abi))
        {
            if (heap is { } address && address <= ulong.MaxValue - HeapLayout.End
                && sections.Memory.ReadUInt32(address, layout.SegmentSignature) == HeapLayout.SegmentSignatureValue
                && sections.Memory.ReadPointer(address, layout.SegmentHeap, sections.PointerSize) == address
                && sections.Memory.ReadUInt32(address, layout.Signature) == HeapLayout.SignatureValue)
            {
                return sections.Memory.ReadPointer(address, layout.LockVariable, sections.PointerSize);
            }
        }

        return null;
    }
}
