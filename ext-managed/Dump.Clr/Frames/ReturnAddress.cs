using Microsoft.Diagnostics.Runtime;

namespace Dump.Clr.Frames;

/// <summary>Words of a stack that lead back into managed methods.</summary>
internal static class ReturnAddress
{
    private const ulong LeastAddress = 0x1_0000;

    /// <summary>True for a word that may point into code: not into the first pages, and not into the managed heap.</summary>
    public static bool MayBe(ClrRuntime runtime, ulong word) => word >= LeastAddress && runtime.Heap.GetSegmentByAddress(word) is null;

    /// <summary>The method that a word leads back to, as a frame with the stack that it has then; null when it leads to none, or to the first byte of one.</summary>
    /// <param name="runtime">The runtime.</param>
    /// <param name="slot">Where the word lies.</param>
    /// <param name="word">The word, of which <see cref="MayBe"/> is true.</param>
    public static ManagedFrame? CallerAt(ClrRuntime runtime, ulong slot, ulong word) =>
        runtime.GetMethodByInstructionPointer(word) is { } method && word != method.NativeCode
            ? new ManagedFrame(slot + sizeof(ulong), word, new FrameMethod(method), false) : null;
}
