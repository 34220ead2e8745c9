using System.Collections.Immutable;
using Dump.Model.Process;
using Dump.Model.Waits;
using Dump.Readers.Instructions;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows;

/// <summary>Finds the lock words of a thread that yields or runs in a module's code.</summary>
internal static class SpinningFrame
{
    private const int MaximumDepth = 8;

    /// <summary>The words that the innermost frame outside the system's modules tests; empty when the thread does neither.</summary>
    public static ImmutableArray<SpinWord> ReadWords(SpinWordReader reader, IModuleMap modules, WindowsThread thread, ThreadActivity activity)
    {
        if (activity.Kind is not (ThreadActivityKind.Yielding or ThreadActivityKind.Running))
        {
            return [];
        }

        for (int i = 0; i < Math.Min(MaximumDepth, thread.Walked.Count); i++)
        {
            ulong address = thread.Walked[i].InstructionPointer - (i == 0 ? 0UL : 1UL);
            if (modules.Find(address) is { IsSystem: not true })
            {
                return reader.Read(thread.Walked[i]);
            }
        }

        return [];
    }
}
