using Dump.Readers.Unwinding.Frames;

namespace Dump.Readers.Windows.Waits;

/// <summary>Finds on whose stack an address lies, among threads that wait by address or by keyed event.</summary>
internal sealed class WaitingStacks
{
    private readonly (StackBounds Bounds, WindowsThread Thread)[] _stacks;

    /// <summary>Orders the stacks whose bounds are known.</summary>
    public WaitingStacks(IEnumerable<WindowsThread> threads) => _stacks =
    [
        .. threads.Where(t => !t.Frames.IsEmpty && SystemCalls.NameOf(t.Frames[0]) is "NtWaitForAlertByThreadId" or "NtWaitForKeyedEvent")
            .Where(t => t.Environment is not null)
            .Select(t => (t.Environment!.Stack, t))
            .OrderBy(s => s.Stack.Limit),
    ];

    /// <summary>The thread, or null when the address lies on no such stack, or below its stack pointer, where nothing is in use.</summary>
    public WindowsThread? Find(ulong address)
    {
        int low = 0;
        int high = _stacks.Length;
        while (low < high)
        {
            int middle = (low + high) / 2;
            (low, high) = _stacks[middle].Bounds.Limit <= address ? (middle + 1, high) : (low, middle);
        }

        return low > 0 && _stacks[low - 1] is var (bounds, thread) && bounds.Contains(address) && address >= thread.Walked[0].StackPointer ? thread : null;
    }
}
