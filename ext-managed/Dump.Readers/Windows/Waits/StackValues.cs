namespace Dump.Readers.Windows.Waits;

/// <summary>Values that the innermost frames of a waiting thread keep: nonvolatile registers and stack slots.</summary>
internal static class StackValues
{
    private const int MaximumSlots = 256;

    /// <summary>The nonvolatile registers of the innermost frame; empty when there is none. Those of its callers lie on the stack or are the same.</summary>
    public static IEnumerable<ulong> Nonvolatile(WindowsThread thread) => thread.Registers?.Nonvolatile ?? [];

    /// <summary>Nonvolatile registers of the first frames, and the stack slots between their stack pointers. Bounded.</summary>
    /// <param name="memory">The process' memory.</param>
    /// <param name="thread">The thread.</param>
    /// <param name="frames">How many frames from the innermost on.</param>
    public static HashSet<ulong> Read(IMemory memory, WindowsThread thread, int frames)
    {
        HashSet<ulong> values = [];
        int count = Math.Min(frames, thread.Walked.Count);
        for (int i = 0; i < count; i++)
        {
            values.UnionWith(thread.Walked[i].Registers.Nonvolatile);
        }

        if (count > 1)
        {
            int size = thread.Walked[0].Registers.Architecture.PointerSize();
            ulong slot = thread.Walked[0].StackPointer;
            ulong end = thread.Walked[count - 1].StackPointer;
            for (int i = 0; i < MaximumSlots && slot < end; i++, slot += (ulong)size)
            {
                if (memory.ReadPointer(slot, size) is { } value)
                {
                    values.Add(value);
                }
            }
        }

        return values;
    }
}
