using Dump.Readers.Unwinding;
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
        int before = SortedSearch.CountUpTo<(StackBounds Bounds, WindowsThread Thread)>(_stacks, address, s => s.Bounds.Limit);
        return before > 0 && _stacks[before - 1] is var (bounds, thread) && bounds.Contains(address) && address >= thread.Walked[0].StackPointer ? thread : null;
    }
}
