using Dump.Model.Process;
using Dump.Readers.Elf;
using Dump.Readers.ElfCore;
using Dump.Readers.Instructions;

namespace Dump.Readers.Linux.Stacks;

/// <summary>
/// Searches a native stack for return addresses, where unwind information is missing: most cores come from elsewhere, and the files of their libraries are not
/// here. What it finds may be stale, is marked as such, and is shown for a crash alone.
/// </summary>
/// <param name="memory">Memory of the process.</param>
/// <param name="images">What is loaded into it.</param>
/// <param name="segments">Its mappings by address, with what may be executed.</param>
internal sealed class StackScan(IMemory memory, ElfImages images, ReadOnlyMemory<ElfSegment> segments)
{
    // A function of a library seldom has a larger frame; more frames than these say no more, as each may be wrong.
    private const int MostWords = 4_096;
    private const int MostFrames = 32;
    private const int LongestCall = 7;

    /// <summary>The frames that a search of the stack finds, the innermost first; not yet in modules and without names.</summary>
    /// <param name="from">Where it begins: the stack pointer of the last frame that is known.</param>
    /// <param name="isStart">True where that frame is the innermost, on whose stack pointer its return address may lie.</param>
    public List<StackFrame> From(ulong from, bool isStart)
    {
        List<StackFrame> frames = [];
        ulong place = (from + (sizeof(ulong) - 1)) & ~(ulong)(sizeof(ulong) - 1);
        for (int i = isStart ? 0 : 1; i < MostWords && frames.Count < MostFrames; i++)
        {
            ulong at = unchecked(place + ((ulong)i * sizeof(ulong)));
            if (at < from || memory.ReadUInt64(at) is not { } word)
            {
                break;
            }

            if (IsReturnAddress(word))
            {
                frames.Add(new StackFrame(word, at + sizeof(ulong), null, null, null, null, FrameTrust.Scan, SymbolSource.None));
            }
        }

        return frames;
    }

    /// <summary>True where code may stand that a call comes before; where that code is not readable here, its place is all there is.</summary>
    private bool IsReturnAddress(ulong address)
    {
        if (address < LongestCall || !IsExecutable(address - 1))
        {
            return false;
        }

        Span<byte> code = stackalloc byte[LongestCall];
        return CallInstruction.Precedes(memory, address)
            ?? (images.Find(address - 1)?.Image.TryRead(address - LongestCall, code) != true || CallInstruction.Ends(code));
    }

    private bool IsExecutable(ulong address)
    {
        int last = SortedSearch.CountUpTo(segments.Span, address, s => s.Address) - 1;
        return last >= 0 && segments.Span[last] is { IsExecutable: true } segment && address - segment.Address < segment.MemorySize;
    }
}
