using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;

namespace Dump.Fuzz.Oracles;

/// <summary>What must hold for every walked stack.</summary>
internal static class StackOracle
{
    /// <summary>There are frames within the limit, stack pointers rise, and trust does not.</summary>
    /// <param name="stack">The stack.</param>
    /// <param name="most">The most frames.</param>
    /// <param name="mayStay">Whether a stack pointer may be that of the frame before.</param>
    /// <returns>How many frames there are, and how far each is trusted.</returns>
    public static string Check(WalkedStack stack, int most, bool mayStay)
    {
        Oracle.Holds(stack.Frames.Count is >= 1 && stack.Frames.Count <= most, $"there are {stack.Frames.Count} frames");
        for (int i = 1; i < stack.Frames.Count; i++)
        {
            ulong pointer = stack.Frames[i].StackPointer, before = stack.Frames[i - 1].StackPointer;
            Oracle.Holds(mayStay ? pointer >= before : pointer > before, $"the stack pointer does not rise at frame {i}");
            Oracle.Holds(stack.Frames[i].Trust <= stack.Frames[i - 1].Trust, $"trust rises at frame {i}");
        }

        return $"{stack.Frames.Count} {string.Join(' ', stack.Frames.CountBy(f => f.Trust).Select(t => $"{t.Key} {t.Value}"))}";
    }
}
