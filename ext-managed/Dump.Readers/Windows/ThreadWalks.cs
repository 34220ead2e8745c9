using Dump.Model.Process;
using Dump.Readers.Minidump;
using Dump.Readers.Registers;
using Dump.Readers.Symbols;
using Dump.Readers.Unwinding;
using Dump.Readers.Unwinding.Frames;
using Dump.Readers.Windows.Process;
using Dump.Readers.Windows.Waits;

namespace Dump.Readers.Windows;

/// <summary>
/// Walks the stacks of one architecture in a dump, with one limit on the frames of all of them: callers' return addresses do not overlap in a sound file.
/// </summary>
internal sealed class ThreadWalks
{
    private readonly MinidumpFile _dump;
    private readonly ModuleSymbols _symbols;
    private readonly IStackWalker? _walker;
    private readonly ReadLimits _limits;
    private readonly ICollection<ReaderProblem> _problems;
    private long _callers;

    /// <summary>Prepares the walks.</summary>
    /// <param name="dump">The dump.</param>
    /// <param name="architecture">The architecture of the code, which need not be that of the dump.</param>
    /// <param name="walker">Its walker; null when its stacks are not walked.</param>
    /// <param name="symbols">Names functions.</param>
    /// <param name="limits">Limits.</param>
    /// <param name="problems">Receives what is cut.</param>
    public ThreadWalks(MinidumpFile dump, ProcessorArchitecture architecture, IStackWalker? walker, ModuleSymbols symbols, ReadLimits limits,
        ICollection<ReaderProblem> problems)
    {
        (_dump, _walker, _symbols, _limits, _problems) = (dump, walker, symbols, limits, problems);
        _callers = Math.Min(limits.MaxTotalFrames, dump.FileSize / architecture.PointerSize());
    }

    /// <summary>Walks a thread's stack and names its frames.</summary>
    /// <param name="thread">The thread list's entry.</param>
    /// <param name="registers">Its registers; null when they are missing.</param>
    /// <param name="environment">Its TEB of the same architecture; null when not readable.</param>
    public WindowsThread Walk(MinidumpThread thread, IFrameRegisters? registers, ThreadEnvironmentBlock? environment)
    {
        WalkedStack stack = _walker is not null && registers is not null
            ? _walker.Walk(registers, environment?.Stack, (int)Math.Min(_callers + 1, _limits.MaxFrames))
            : new WalkedStack([], StackEnd.NoContext);
        if (stack.End == StackEnd.Limit && stack.Frames.Count < _limits.MaxFrames)
        {
            _problems.Add(new ReaderProblem("stacks", $"have more frames together than the file can hold; thread 0x{thread.Id:x} is cut",
                registers!.StackPointer));
            stack = stack with { End = StackEnd.Inconsistent };
        }

        _callers -= Math.Max(0, stack.Frames.Count - 1);
        return new WindowsThread(thread, environment, stack.Frames,
            EntryNames.Add(FrameNaming.Name(stack, _dump, _symbols), stack, _dump, _dump, _symbols), stack.End);
    }
}
