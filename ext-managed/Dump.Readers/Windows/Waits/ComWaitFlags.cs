using Dump.Readers.Instructions;

namespace Dump.Readers.Windows.Waits;

/// <summary>Reads the flags of <c>CoWaitForMultipleHandles</c>, its first argument (Microsoft Learn, "CoWaitForMultipleHandles function").</summary>
internal static class ComWaitFlags
{
    // Between the system call and the function stand user32's wait and COM's modal loop; public stacks have eight frames there.
    private const int MostFrames = 16;

    // COWAIT_FLAGS of combaseapi.h: WAITALL, ALERTABLE, INPUTAVAILABLE, DISPATCH_CALLS, DISPATCH_WINDOW_MESSAGES. Other bits are no flags, but what has been
    // written to a stack slot since.
    private const ulong Known = 0x1 | 0x2 | 0x4 | 0x8 | 0x10;

    /// <summary>
    /// The flags of the innermost such call that the thread is in, or null when it is in none, or neither its
    /// code (x64) nor its stack (x86) shows what can be flags.
    /// </summary>
    public static uint? Read(IMemory memory, WindowsThread thread)
    {
        for (int i = 0; i + 1 < Math.Min(thread.Frames.Length, MostFrames); i++)
        {
            if (thread.Frames[i] is { ModuleStem: "combase" or "ole32", Function: "CoWaitForMultipleHandles" }
                && thread.Frames[i + 1].ModuleStem is not ("combase" or "ole32"))
            {
                return PassedArguments.Read(memory, thread.Walked[i + 1]).First is { } flags && (flags & uint.MaxValue & ~Known) == 0 ? (uint)flags : null;
            }
        }

        return null;
    }
}
