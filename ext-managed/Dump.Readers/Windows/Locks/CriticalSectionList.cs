using Dump.Model.Process;
using Dump.Readers.Windows.Layouts;

namespace Dump.Readers.Windows.Locks;

/// <summary>Walks the list of all critical sections that have debug blocks (ntdll's list behind ProcessLocksList).</summary>
/// <param name="reader">Reads and checks the sections.</param>
/// <param name="maximumLength">Most elements to follow.</param>
internal sealed class CriticalSectionList(CriticalSectionReader reader, int maximumLength)
{
    private readonly CriticalSectionDebugLayout _block = new(reader.Abi);

    private ulong ListOffset => (ulong)_block.ProcessLocksList;

    /// <summary>Follows the list from a section in both directions' common order until it returns to a known element, breaks, or reaches the limit.</summary>
    /// <param name="start">A section with a debug block.</param>
    /// <param name="problems">Receives what is wrong with the list.</param>
    /// <returns>The sections found, without <paramref name="start"/>.</returns>
    public IReadOnlyList<CriticalSection> Walk(CriticalSection start, ICollection<ReaderProblem> problems)
    {
        var found = new List<CriticalSection>();
        if (!start.HasDebugInfo)
        {
            return found;
        }

        ulong first = start.DebugInfo + ListOffset;
        var seen = new HashSet<ulong> { first };
        bool headWasSkipped = false;
        ulong current = first;
        while (Pointer(current) is { } next && next is not (0 or ulong.MaxValue) && next >= ListOffset)
        {
            if (!seen.Add(next))
            {
                if (next != first)
                {
                    problems.Add(new ReaderProblem("critical section list", "The list runs in a circle that does not include its start.", next));
                }

                return found;
            }

            if (seen.Count > maximumLength)
            {
                problems.Add(new ReaderProblem("critical section list", $"The list is longer than {maximumLength} elements; the rest was not read.", next));
                return found;
            }

            ulong block = next - ListOffset;
            bool linksBack = Pointer(next + (ulong)_block.BackwardLink) == current;
            CriticalSection? section = linksBack ? ReadOwnerOf(block) : null;
            if (section is not null)
            {
                found.Add(section);
            }
            else if (!linksBack || (headWasSkipped && !IsBeingChanged(block)))
            {
                problems.Add(new ReaderProblem("critical section list", "The list is damaged or was being changed; it was read up to this element.", next));
                return found;
            }
            else
            {
                // The list's head is an element without a section of its own.
                headWasSkipped = true;
            }

            current = next;
        }

        return found;
    }

    private CriticalSection? ReadOwnerOf(ulong block) =>
        Pointer(block + (ulong)_block.CriticalSection) is { } address
        && reader.ReadCandidate(address) is { } section && section.DebugInfo == block
            ? section
            : null;

    /// <summary>
    /// True when a section claims the block but its counts contradict each other, as they do for the instant in which it is taken or released.
    /// </summary>
    private bool IsBeingChanged(ulong block) =>
        Pointer(block + (ulong)_block.CriticalSection) is { } address
        && Pointer(address) == block;

    private ulong? Pointer(ulong address) => reader.Memory.ReadPointer(address, reader.PointerSize);
}
