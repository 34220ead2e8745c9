using Dump.Readers.Unwinding;

namespace Dump.Readers.Windows.Waits;

/// <summary>Values that the innermost frames of a waiting thread keep: nonvolatile registers and stack slots.</summary>
internal static class StackValues
{
    private const int MaximumSlots = 256;

    private static readonly X64Register[] s_nonvolatile =
    [
        X64Register.Rbx, X64Register.Rbp, X64Register.Rsi, X64Register.Rdi,
        X64Register.R12, X64Register.R13, X64Register.R14, X64Register.R15,
    ];

    /// <summary>The nonvolatile registers of the innermost frame; empty when there is none. Those of its callers lie on the stack or are the same.</summary>
    public static IEnumerable<ulong> Nonvolatile(WindowsThread thread) =>
        thread.Walked.Count == 0 ? [] : s_nonvolatile.Select(r => thread.Walked[0].Registers[r]);

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
            foreach (X64Register register in s_nonvolatile)
            {
                values.Add(thread.Walked[i].Registers[register]);
            }
        }

        if (count > 1)
        {
            ulong slot = thread.Walked[0].Registers.Rsp;
            ulong end = thread.Walked[count - 1].Registers.Rsp;
            for (int i = 0; i < MaximumSlots && slot < end; i++, slot += sizeof(ulong))
            {
                if (memory.ReadUInt64(slot) is { } value)
                {
                    values.Add(value);
                }
            }
        }

        return values;
    }
}
