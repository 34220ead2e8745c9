using Dump.Readers.Registers;

namespace Dump.Readers.Unwinding.Frames;

/// <summary>Walks the stacks of one architecture. Safe for concurrent use.</summary>
public interface IStackWalker
{
    /// <summary>
    /// Walks a stack. Input is not trusted: a walk ends within its limits whatever memory holds, and stack pointers rise from frame to frame.
    /// </summary>
    /// <param name="context">The thread's saved registers, of the walker's architecture.</param>
    /// <param name="bounds">Where its stack lies, or null when unknown.</param>
    /// <param name="maximumFrames">Most frames, at least 1; the limits' number counts when it is lower.</param>
    WalkedStack Walk(IFrameRegisters context, StackBounds? bounds, int maximumFrames = int.MaxValue);
}
