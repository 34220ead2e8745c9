namespace Dump.Clr.Frames;

/// <summary>
/// What is known of the places on stacks of one shape: which hold references that the runtime reports, and which hold what only looks like some. A place that is
/// null says nothing, since the runtime reports it then neither way: so a stack is only told from others when each of its words that may be a reference lies
/// at a place that is known.
/// </summary>
internal sealed class KnownSlots
{
    private const int MostVariants = 8;
    private readonly HashSet<int> _unreported = [];
    private readonly List<Slot[]> _variants = [];
    private bool _isUnusable;

    /// <summary>Learns from a stack whose references the library has given.</summary>
    /// <param name="stack">Its words.</param>
    /// <param name="start">Where it begins.</param>
    /// <param name="references">The references, in the library's order.</param>
    /// <param name="mayBe">True for a word that may be a reference.</param>
    public void Learn(ReadOnlySpan<ulong> stack, ulong start, IReadOnlyList<StackReference> references, Func<ulong, bool> mayBe)
    {
        if (_isUnusable || _variants.Count == MostVariants)
        {
            return;
        }

        Slot[] slots = new Slot[references.Count];
        HashSet<int> reported = [];
        for (int i = 0; i < slots.Length; i++)
        {
            StackReference reference = references[i];
            ulong distance = reference.Address - start;
            if (reference.Address < start || distance % sizeof(ulong) != 0 || distance / sizeof(ulong) >= (ulong)stack.Length
                || stack[(int)(distance / sizeof(ulong))] != reference.Object)
            {
                // In a register, or in a place of the runtime's own.
                _isUnusable = true;
                return;
            }

            slots[i] = new Slot((int)(distance / sizeof(ulong)), reference.IsInterior, reference.FrameStackPointer - start);
            reported.Add(slots[i].Word);
        }

        _variants.Add(slots);
        _unreported.UnionWith(Candidates(stack, reported, mayBe));
        _isUnusable = _variants.Any(v => v.Any(s => _unreported.Contains(s.Word)));
    }

    /// <summary>The references of another stack of this shape; null where the library must be asked.</summary>
    /// <param name="stack">Its words.</param>
    /// <param name="start">Where it begins.</param>
    /// <param name="mayBe">True for a word that may be a reference.</param>
    public IReadOnlyList<StackReference>? Of(ReadOnlySpan<ulong> stack, ulong start, Func<ulong, bool> mayBe)
    {
        if (_isUnusable)
        {
            return null;
        }

        HashSet<int> open = Candidates(stack, _unreported, mayBe);
        foreach (Slot[] slots in _variants)
        {
            if (open.IsSubsetOf(slots.Select(s => s.Word)))
            {
                List<StackReference> references = new(slots.Length);
                foreach (Slot slot in slots)
                {
                    if (stack[slot.Word] is not 0 and var target)
                    {
                        references.Add(new StackReference(target, slot.IsInterior, start + slot.Frame, start + ((ulong)slot.Word * sizeof(ulong))));
                    }
                }

                return references;
            }
        }

        return null;
    }

    /// <summary>Places of words that may be references, besides those of which that is known.</summary>
    private static HashSet<int> Candidates(ReadOnlySpan<ulong> stack, HashSet<int> known, Func<ulong, bool> mayBe)
    {
        HashSet<int> candidates = [];
        for (int word = 0; word < stack.Length; word++)
        {
            if (stack[word] != 0 && !known.Contains(word) && mayBe(stack[word]))
            {
                candidates.Add(word);
            }
        }

        return candidates;
    }

    /// <param name="Word">Its place, in words from the start of the stack.</param>
    /// <param name="IsInterior">True when it may lead into an object.</param>
    /// <param name="Frame">Distance of the frame's stack pointer from the start of the stack.</param>
    private readonly record struct Slot(int Word, bool IsInterior, ulong Frame);
}
